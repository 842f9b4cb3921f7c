import { setTimeout as pause } from "node:timers/promises";
import { type AuthorizeOptions, getTokens, type TokenAnswer } from "../security/client.ts";

export interface RefreshChains {
  /** Refreshes that were answered with tokens. */
  readonly refreshed: number;
  /** Families that ended, each after an answer that was lost: the new token may have been in it. */
  readonly lost: number;
  /** What must not be. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export interface RefreshChainsOptions {
  readonly chains: number;
  /** In which somebody is signed in, at a client that asks nobody to agree. */
  readonly authorize: AuthorizeOptions;
  /** Told of each answer that says nothing about the token: its status, or how the connection ended. */
  readonly onRefusal: (what: number | string) => void;
}

interface Outcome {
  /** How the connection ended, where there was no answer. */
  readonly status: number | string;
  readonly body: Partial<TokenAnswer["body"]>;
}

/**
 * Clients that refresh without end, each its own family of tokens. One refresh in three is sent twice at once, of which
 * one at the most may win. A token that was refused although no answer had been lost is a fault; and so is one that was
 * given and does not work.
 */
export function startRefreshChains({ chains, authorize, onRefusal }: RefreshChainsOptions): RefreshChains {
  const state = { refreshed: 0, lost: 0 };
  const faults: string[] = [];
  let isStopping = false;

  async function refresh(token: string): Promise<Outcome> {
    const { issuer, clientId } = authorize;
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, client_id: clientId });
    try {
      const response = await fetch(`${issuer}/token`, { method: "POST", body });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true; // or a gateway's page
      return { status: response.status, body: isJson ? JSON.parse(text) : {} };
    } catch (error) {
      return { status: statusOf(error), body: {} };
    }
  }

  async function begin(): Promise<string> {
    for (;;) {
      try {
        return (await getTokens(authorize)).refresh_token;
      } catch (error) {
        onRefusal(statusOf(error)); // a code that was lost costs nobody anything
        await pause(100);
      }
    }
  }

  async function chain(name: number): Promise<void> {
    let token = await begin();
    let isInDoubt = false;
    for (let round = 0; !isStopping; round++) {
      const answers = await Promise.all(Array.from({ length: round % 3 === 2 ? 2 : 1 }, () => refresh(token)));
      const winners = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ body }) => body.error === "invalid_grant");
      const silent = answers.filter((answer) => !winners.includes(answer) && !refused.includes(answer));
      for (const { status } of silent) onRefusal(status);
      if (winners.length > 1) faults.push(`chain ${name}: ${winners.length} winners`);
      const [winner] = winners;
      if (winner?.body.refresh_token !== undefined) {
        state.refreshed++;
        token = winner.body.refresh_token;
        isInDoubt = false;
      } else if (silent.length > 0) {
        isInDoubt = true; // it may have won, and its tokens are lost with it
      } else {
        if (!isInDoubt) faults.push(`chain ${name}: a token was refused in round ${round} and no answer had been lost`);
        state.lost++;
        token = await begin();
        isInDoubt = false;
      }
      await pause(Math.random() * 50);
    }
    // The last token that was given works, unless an answer after it was lost.
    for (let attempt = 0; !isInDoubt && attempt < 10; attempt++) {
      const { status, body } = await refresh(token);
      if (status === 200) return;
      if (body.error !== undefined && body.error !== "temporarily_unavailable") {
        faults.push(`chain ${name}: the last token is refused with ${body.error}`);
        return;
      }
      await pause(500);
    }
  }

  const running = Promise.all(Array.from({ length: chains }, (_, name) => chain(name)));
  return {
    get refreshed() {
      return state.refreshed;
    },
    get lost() {
      return state.lost;
    },
    faults,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

/** What an error of fetch, or of a walk through pages, tells of how a request ended. */
function statusOf(error: unknown): number | string {
  if (error instanceof SyntaxError) return 502; // the page of a gateway in place of JSON
  const { message, cause } = error as Error;
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message;
  const status = /\((5\d\d)\)/.exec(message)?.[1]; // of the page at which the walk ended
  return status === undefined ? message.slice(0, 200) : Number(status);
}
