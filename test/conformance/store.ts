import { describe } from "node:test";
import type { Store } from "../../src/domain/store/store.ts";
import { accountsConform } from "./accounts.ts";
import { administrationConforms } from "./administration.ts";
import { agentsConform } from "./agents.ts";
import { artifactsConform } from "./artifacts.ts";
import { attemptsConform } from "./attempts.ts";
import { auditConforms } from "./audit.ts";
import { clientSecretsConform } from "./client-secrets.ts";
import { clientsConform } from "./clients.ts";
import { deletedPostsConform } from "./deleted-posts.ts";
import { deletionsConform } from "./deletions.ts";
import { editingConforms } from "./editing.ts";
import { historyConforms } from "./history.ts";
import { lifeConforms } from "./life.ts";
import { orderConforms } from "./order.ts";
import { passkeysConform } from "./passkeys.ts";
import { postChangesConform } from "./post-changes.ts";
import { postsConform } from "./posts.ts";
import { previewsConform } from "./previews.ts";
import { rateLimitsConform } from "./rate-limits.ts";
import { readsConform } from "./reads.ts";
import { scimUsersConform } from "./scim-users.ts";
import { sealedTextsConform } from "./sealed-texts.ts";
import { searchConforms } from "./search.ts";
import { secondStepsConform } from "./second-steps.ts";
import { signingKeysConform } from "./signing-keys.ts";
import { slugsConform } from "./slugs.ts";
import { upstreamIdentitiesConform } from "./upstream-identities.ts";
import { usersConform } from "./users.ts";
import { watchConforms } from "./watch.ts";
import { webhookListsConform } from "./webhook-lists.ts";
import { webhooksConform } from "./webhooks.ts";

/**
 * A fresh, empty store; whoever opens it closes it. `now` is the clock, Unix time in milliseconds.
 */
export type OpenFresh = (now?: () => number) => Promise<Store>;

/** Two stores on one fresh, empty database, as two processes have them. */
export type OpenTwo = () => Promise<readonly [Store, Store]>;

/**
 * What src/domain/store/store.ts promises, as tests that every database has to pass.
 *
 * @param named whether one process tells another what it changed by id
 */
export function storeConforms(database: string, open: OpenFresh, openTwo: OpenTwo, named: boolean): void {
  describe(`the store on ${database}`, () => {
    lifeConforms(open);
    usersConform(open);
    accountsConform(open, openTwo);
    deletionsConform(open, openTwo);
    secondStepsConform(open, openTwo);
    passkeysConform(open, openTwo);
    upstreamIdentitiesConform(open, openTwo);
    scimUsersConform(open, openTwo);
    postsConform(open);
    postChangesConform(open, openTwo);
    slugsConform(open, openTwo);
    previewsConform(open);
    historyConforms(open, openTwo);
    editingConforms(openTwo);
    deletedPostsConform(open, openTwo);
    clientsConform(open);
    clientSecretsConform(open);
    artifactsConform(open);
    attemptsConform(open);
    auditConforms(open);
    administrationConforms(open);
    agentsConform(open, openTwo);
    signingKeysConform(open);
    orderConforms(openTwo);
    readsConform(open);
    searchConforms(open);
    watchConforms(openTwo, named);
    webhooksConform(open, openTwo);
    webhookListsConform(open, openTwo);
    rateLimitsConform(open, openTwo);
    sealedTextsConform(open);
  });
}
