import { runJson } from "../command.ts";

export const EMAIL = "grace@example.com";
export const PASSWORD = "three wet otters on a quay";
export const CALLBACK = "https://app.example.com/callback";

/** Adds Grace and a first-party client by the command line. @returns what `signIn` and `authorize` take */
export async function addGrace(issuer: string, environment: Record<string, string>) {
  await runJson(["user", "create", "--email", EMAIL, "--name", "Grace", "--password-stdin"], environment, PASSWORD);
  const { client_id: clientId } = await runJson<{ client_id: string }>(
    ["client", "create", "--name", "App", "--public", "--first-party", "--redirect-uri", CALLBACK],
    environment,
  );
  return { issuer, clientId, redirectUri: CALLBACK, scope: "openid posts:read", email: EMAIL, password: PASSWORD };
}
