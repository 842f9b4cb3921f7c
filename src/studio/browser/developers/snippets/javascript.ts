// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is written has placeholders of its own
import { isServed, lines, pathOf, portOf, quoted, type Snippet, type Writing, withPort } from "./snippet.ts";

/** openid-client in Node. */
export function openidClient(writing: Writing): Snippet {
  const { client } = writing;
  const { redirectUri } = client;
  const env = client.hasSecret ? "--env-file=.env " : "";
  const served = redirectUri !== null && isServed(redirectUri);
  const body =
    client.kind === "job" || client.kind === "device"
      ? withoutBrowser(writing)
      : served
        ? asSite(writing)
        : asApp(writing);
  return {
    name: "openid-client",
    file: "sign-in.mjs",
    commands: `npm install openid-client\nnode ${env}sign-in.mjs`,
    note: served && client.kind !== "job" ? `Then open ${startOf(redirectUri)}` : null,
    text: body,
  };
}

function startOf(redirectUri: string): string {
  return new URL("/", withPort(redirectUri)).href;
}

/** Lines that ask the server for its URLs. */
function discovery({ client, places }: Writing): string[] {
  const method = client.hasSecret ? "oidc.ClientSecretBasic(process.env.CLIENT_SECRET)" : "oidc.None()";
  const isPlain = places.issuer.startsWith("http:");
  return [
    ...(isPlain ? ["// Plain http is for development alone: leave allowInsecureRequests out elsewhere."] : []),
    `const server = await oidc.discovery(`,
    `  new URL(${quoted(places.issuer)}),`,
    `  ${quoted(client.id)},`,
    "  {},",
    `  ${method},`,
    ...(isPlain ? ["  { execute: [oidc.allowInsecureRequests] },"] : []),
    ");",
  ];
}

/** Lines that use the access token, where it may read posts. */
function reading({ places, client }: Writing, indent: string, result: string): string[] {
  if (!client.scopes.includes("posts:read")) return [];
  return [
    `const answer = await fetch(${quoted(places.graphql)}, {`,
    `  method: "POST",`,
    '  headers: { authorization: `Bearer ${tokens.access_token}`, "content-type": "application/json" },',
    `  body: JSON.stringify({ query: "{ posts(first: 3) { title } }" }),`,
    "});",
    result,
  ].map((line) => indent + line);
}

function asSite(writing: Writing): string {
  const { client, scope } = writing;
  const redirectUri = withPort(client.redirectUri ?? "");
  const secure = redirectUri.startsWith("https:") ? "; Secure" : "";
  const path = pathOf(redirectUri);
  const reads = client.scopes.includes("posts:read");
  return lines(
    `import { createServer } from "node:http";`,
    `import * as oidc from "openid-client";`,
    "",
    `const redirectUri = ${quoted(redirectUri)};`,
    ...discovery(writing),
    "",
    "createServer(async (request, response) => {",
    "  const url = new URL(request.url, redirectUri);",
    "  try {",
    `    if (url.pathname === ${quoted(path)} && url.searchParams.has("state")) await finish(url, request, response);`,
    `    else if (url.pathname === "/") await begin(response);`,
    "    else response.writeHead(404).end();",
    "  } catch (error) {",
    "    console.error(error);",
    "    response.writeHead(400).end(`The sign-in failed: ${error.message}`);",
    "  }",
    `}).listen(${portOf(redirectUri)}, () => console.log(${quoted(`Open ${startOf(redirectUri)}`)}));`,
    "",
    "async function begin(response) {",
    "  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];",
    "  const address = oidc.buildAuthorizationUrl(server, {",
    "    redirect_uri: redirectUri,",
    `    scope: ${quoted(scope)},`,
    "    state,",
    "    nonce,",
    "    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),",
    `    code_challenge_method: "S256",`,
    "  });",
    "  // The cookie ties the answer to this browser.",
    `  const cookie = \`sign_in=\${[state, nonce, verifier].join(".")}; HttpOnly; SameSite=Lax; Path=/${secure}\`;`,
    `  response.writeHead(302, { location: address.href, "set-cookie": cookie }).end();`,
    "}",
    "",
    "async function finish(url, request, response) {",
    `  const [, kept = ""] = /\\bsign_in=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];`,
    `  const [expectedState, expectedNonce, pkceCodeVerifier] = kept.split(".");`,
    "  const tokens = await oidc.authorizationCodeGrant(server, url, {",
    "    pkceCodeVerifier,",
    "    expectedState,",
    client.scopes.includes("openid") ? "    expectedNonce," : null,
    "  });",
    ...reading(writing, "  ", "const { data } = await answer.json();"),
    `  response.writeHead(200, { "content-type": "application/json" });`,
    `  response.end(JSON.stringify({ claims: tokens.claims()${reads ? ", data" : ""} }, null, 2));`,
    "}",
  );
}

/** A program that the browser cannot reach by http: the person brings the answer. */
function asApp(writing: Writing): string {
  const { client, scope } = writing;
  return lines(
    `import { createInterface } from "node:readline/promises";`,
    `import * as oidc from "openid-client";`,
    "",
    ...discovery(writing),
    "",
    "const [expectedState, pkceCodeVerifier] = [oidc.randomState(), oidc.randomPKCECodeVerifier()];",
    "const address = oidc.buildAuthorizationUrl(server, {",
    `  redirect_uri: ${quoted(client.redirectUri ?? "")},`,
    `  scope: ${quoted(scope)},`,
    "  state: expectedState,",
    "  code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),",
    `  code_challenge_method: "S256",`,
    "});",
    "console.log(`Open ${address.href}`);",
    "const terminal = createInterface({ input: process.stdin, output: process.stdout });",
    `const back = new URL(await terminal.question("Paste the address that your app was opened with: "));`,
    "terminal.close();",
    "const tokens = await oidc.authorizationCodeGrant(server, back, { pkceCodeVerifier, expectedState });",
    "console.log(tokens.claims());",
    ...reading(writing, "", "console.log(await answer.json());"),
  );
}

function withoutBrowser(writing: Writing): string {
  const { client, scope } = writing;
  const grant =
    client.kind === "job"
      ? [`const tokens = await oidc.clientCredentialsGrant(server, { scope: ${quoted(scope)} });`]
      : [
          `const started = await oidc.initiateDeviceAuthorization(server, { scope: ${quoted(scope)} });`,
          "console.log(`Open ${started.verification_uri} and enter ${started.user_code}`);",
          "const tokens = await oidc.pollDeviceAuthorizationGrant(server, started);",
        ];
  return lines(
    `import * as oidc from "openid-client";`,
    "",
    ...discovery(writing),
    "",
    ...grant,
    "console.log(`The access token is valid for ${tokens.expires_in} seconds.`);",
    ...reading(writing, "", "console.log(JSON.stringify(await answer.json()));"),
  );
}

/** Auth.js in Next.js. */
export function authJs({ client, places, scope }: Writing): Snippet {
  const [, basePath, id = "content"] = /^(.+)\/callback\/([\w-]+)$/.exec(pathOf(client.redirectUri ?? "")) ?? [];
  const origin = new URL(client.redirectUri ?? "").origin;
  return {
    name: "Auth.js",
    file: "auth.ts",
    commands: "npm install next-auth@beta",
    note:
      basePath === undefined
        ? `Auth.js comes back to ${origin}/api/auth/callback/content. Register that redirect URI.`
        : null,
    text: lines(
      `import NextAuth from "next-auth";`,
      "",
      "export const { handlers, auth, signIn, signOut } = NextAuth({",
      ...(basePath === undefined || basePath === "/api/auth" ? [] : [`  basePath: ${quoted(basePath)},`]),
      "  providers: [",
      "    {",
      `      id: ${quoted(id)},`,
      `      name: ${quoted(places.operator)},`,
      `      type: "oidc",`,
      `      issuer: ${quoted(places.issuer)},`,
      `      clientId: ${quoted(client.id)},`,
      "      clientSecret: process.env.CLIENT_SECRET,",
      `      authorization: { params: { scope: ${quoted(scope)} } },`,
      "    },",
      "  ],",
      "});",
    ),
  };
}

/** oidc-client-ts in a page. */
export function oidcClientTs({ client, places, scope }: Writing): Snippet {
  const redirectUri = client.redirectUri ?? "";
  return {
    name: "oidc-client-ts",
    file: "sign-in.ts",
    commands: "npm install oidc-client-ts",
    note: null,
    text: lines(
      `import { UserManager } from "oidc-client-ts";`,
      "",
      "const users = new UserManager({",
      `  authority: ${quoted(places.issuer)},`,
      `  client_id: ${quoted(client.id)},`,
      `  redirect_uri: ${quoted(redirectUri)},`,
      `  scope: ${quoted(scope)},`,
      "});",
      "",
      "/** Call this when somebody presses “Sign in”. */",
      "export function signIn() {",
      "  return users.signinRedirect();",
      "}",
      "",
      "/** Call this when the page opens. */",
      "export async function currentUser() {",
      `  if (location.pathname === ${quoted(pathOf(redirectUri))} && location.search.includes("state=")) {`,
      "    const user = await users.signinCallback();",
      `    history.replaceState(null, "", "/");`,
      "    return user;",
      "  }",
      "  return users.getUser();",
      "}",
      "",
      "/** Reads with the person's token. */",
      "export async function ask(query: string) {",
      "  const user = await users.getUser();",
      `  const answer = await fetch(${quoted(places.graphql)}, {`,
      `    method: "POST",`,
      '    headers: { authorization: `Bearer ${user?.access_token}`, "content-type": "application/json" },',
      "    body: JSON.stringify({ query }),",
      "  });",
      "  return answer.json();",
      "}",
    ),
  };
}
