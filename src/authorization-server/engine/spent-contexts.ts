import type { ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import type { EngineRequest } from "../http/engine-request.ts";

/** Members of a context that lead to everything the request has created. */
interface Context {
  req?: unknown;
  res?: unknown;
  request?: unknown;
  response?: unknown;
  state?: unknown;
  params?: unknown;
  readonly oidc?: { entities?: unknown; params?: unknown; body?: unknown; _events?: unknown };
}

/**
 * The engine as a function that answers a request, and then takes apart what the request has left.
 *
 * The engine defines a getter of its own on each context. V8 puts such a getter among the old objects at once, where it
 * keeps alive whatever it leads to until those are collected: all of the request, 15 kB. A server that gives out tokens
 * spent an eighth of its time on copying them (measured).
 */
export function openEngine(provider: Provider): (request: EngineRequest, response: ServerResponse) => Promise<void> {
  provider.use((ctx, next) => {
    (ctx.req as EngineRequest).context = ctx;
    return next();
  });
  const answer = provider.callback();
  return async (request, response) => {
    await answer(request, response);
    const end = () => takeApart(request.context);
    if (response.closed) end();
    else response.once("close", end); // until then, whoever waits for its end may ask the context
  };
}

function takeApart(context: Context | null): void {
  if (context === null) return;
  const { oidc } = context;
  if (oidc !== undefined)
    Object.assign(oidc, { entities: undefined, params: undefined, body: undefined, _events: undefined });
  context.req = context.res = context.request = context.response = context.state = context.params = undefined;
}
