import type { FastifyPluginAsync } from "fastify";
import type { InteractionHandlers } from "./interaction.ts";
import type { InteractionRequest } from "./interaction-step.ts";
import { SIGN_IN_STEPS } from "./steps.ts";

/** Steps of an interaction, each a form that posts to the path of this name. */
const STEPS = [...SIGN_IN_STEPS, "consent", "switch", "cancel"] as const satisfies (keyof InteractionHandlers)[];

/** @param handlers loads the engine, so it is called when somebody first comes */
export function interactionRoutes(mount: string, handlers: () => Promise<InteractionHandlers>): FastifyPluginAsync {
  return async (server) => {
    const path = `${mount}/interaction/:uid`;
    server.get(path, async (request: InteractionRequest, reply) => (await handlers()).show(request, reply));
    server.get(`${path}/continue`, async (request: InteractionRequest, reply) =>
      (await handlers()).continue(request, reply),
    );
    server.get(`${path}/upstream`, async (request: InteractionRequest, reply) =>
      (await handlers()).arrive(request, reply),
    );
    for (const step of STEPS)
      server.post(`${path}/${step}`, async (request: InteractionRequest, reply) =>
        (await handlers())[step](request, reply),
      );
  };
}
