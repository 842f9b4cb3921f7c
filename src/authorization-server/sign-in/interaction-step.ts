import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client, Interaction, InteractionResults } from "oidc-provider";
import { redirect } from "../http/forms.ts";

export type InteractionRequest = FastifyRequest<{ Params: { uid: string } }>;

/** One request within an interaction, from the browser that it belongs to. */
export interface InteractionStep {
  readonly request: InteractionRequest;
  readonly reply: FastifyReply;
  readonly interaction: Interaction;
  readonly client: Client;
  /** Path of the interaction's page. */
  readonly path: string;
  /** Proves that a form came from a page of this interaction (A12). */
  readonly csrf: string;
  readonly field: (name: string) => string;
}

/** Hands the browser back to the engine. */
export async function finish(
  { interaction, reply }: InteractionStep,
  result: InteractionResults,
): Promise<FastifyReply> {
  interaction.result = "error" in result ? result : { ...interaction.lastSubmission, ...result };
  await interaction.persist();
  return redirect(reply, interaction.returnTo);
}

/** URLs that receive the answer to the client; empty for a device, which polls for it. */
export function formAction({ interaction }: InteractionStep): string[] {
  return interaction.deviceCode === undefined ? [String(interaction.params.redirect_uri)] : [];
}
