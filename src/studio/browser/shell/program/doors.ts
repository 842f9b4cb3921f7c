import { type Signal, signal } from "@preact/signals";
import type { StudioApi } from "../../api/client.ts";
import { ApiFailure, type Studio } from "../../ports.ts";
import type { Demand, Elevation } from "../../session/elevation.ts";
import type { Session } from "../../session/session.ts";
import type { Tokens } from "../../session/tokens.ts";

/** Pages that need a second token: those of administrators, and those of people who register clients. */
export type DoorName = "administration" | "developers";

interface Door {
  readonly elevation: Elevation;
  /** The studio, with requests under the second token. */
  readonly studio: Studio;
  /** A change for which the person must sign in again first; null for none. */
  readonly asked: Signal<Asked | null>;
}

export interface Asked {
  readonly demand: Demand;
  /** @param isSignedIn false where the person would rather not make the change */
  answer(isSignedIn: boolean): void;
}

export type Doors = Readonly<Record<DoorName, Door>>;

/** Administration asks for a sign-in of the last half hour. */
const ADMINISTRATION = { scope: "openid admin posts:read users:email users:read", entry: { maxAge: 1_800 } };
const DEVELOPERS = { scope: "openid clients:own", entry: {} };
/** Milliseconds between looks at whether somebody is there. */
const LOOKS = 30_000;

/** @param openWith opens the API under other tokens */
export function openDoors(
  studio: Studio,
  session: Session,
  openWith: (tokens: Pick<Tokens, "get" | "replace">) => StudioApi,
): Doors {
  const open = ({ scope, entry }: { readonly scope: string; readonly entry: Demand }): Door => {
    const elevation = session.elevate(scope, entry);
    const asked = signal<Asked | null>(null);
    const api = askingAgain(openWith(elevation), asked);
    studio.isSignedIn.subscribe((isSignedIn) => {
      if (isSignedIn) return;
      void elevation.end();
      asked.peek()?.answer(false);
    });
    for (const type of ["pointerdown", "keydown"])
      addEventListener(type, () => elevation.noticeUse(), { capture: true, passive: true });
    setInterval(() => elevation.checkUse(), LOOKS);
    return { elevation, asked, studio: { ...studio, api } };
  };
  return { administration: open(ADMINISTRATION), developers: open(DEVELOPERS) };
}

/** Requests that the API rejects for want of a recent sign-in are made again after one (RFC 9470). The latest asks. */
export function askingAgain(api: StudioApi, asked: Signal<Asked | null>): StudioApi {
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== "recent-sign-in") throw error;
      const { maxAge, acrValues } = error.extensions as Demand;
      const demand = { ...(maxAge !== undefined && { maxAge }), ...(acrValues !== undefined && { acrValues }) };
      asked.peek()?.answer(false);
      const isSignedIn = await new Promise<boolean>((resolve) => {
        const own: Asked = {
          demand,
          answer(isSignedIn) {
            if (asked.peek() === own) asked.value = null;
            resolve(isSignedIn);
          },
        };
        asked.value = own;
      });
      if (isSignedIn) return work();
      throw new ApiFailure({
        ...{ kind: "recent-sign-in", extensions: error.extensions },
        message: "Nothing was changed, because you did not sign in again.",
      });
    }
  }
  return {
    ...api,
    run: (...request) => attempt(() => api.run(...request)),
    runEach: (...request) => attempt(() => api.runEach(...request)),
  };
}
