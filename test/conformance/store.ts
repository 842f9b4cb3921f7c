import { describe } from "node:test";
import type { Store } from "../../src/domain/store.ts";
import { artifactsConform } from "./artifacts.ts";
import { attemptsConform } from "./attempts.ts";
import { clientsConform } from "./clients.ts";
import { lifeConforms } from "./life.ts";
import { postsConform } from "./posts.ts";
import { readsConform } from "./reads.ts";
import { signingKeysConform } from "./signing-keys.ts";
import { usersConform } from "./users.ts";

/**
 * A fresh, empty store; whoever opens it closes it. `now` is the clock, Unix time in milliseconds.
 */
export type OpenFresh = (now?: () => number) => Promise<Store>;

/** What src/domain/store.ts promises, as tests that every database has to pass. */
export function storeConforms(database: string, open: OpenFresh): void {
  describe(`the store on ${database}`, () => {
    lifeConforms(open);
    usersConform(open);
    postsConform(open);
    clientsConform(open);
    artifactsConform(open);
    attemptsConform(open);
    signingKeysConform(open);
    readsConform(open);
  });
}
