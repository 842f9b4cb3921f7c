import type { Places } from "../facts/places.ts";

/** The file from which the code reads the secret. */
export function envFile({ id }: { readonly id: string }, secret: string, { issuer }: Pick<Places, "issuer">): string {
  return `ISSUER=${issuer}\nCLIENT_ID=${id}\nCLIENT_SECRET=${secret}\n`;
}
