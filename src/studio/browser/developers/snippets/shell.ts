import { lines, type Snippet, shellQuoted, type Writing } from "./snippet.ts";

/** curl, in a shell with openssl. */
export function curl(writing: Writing): Snippet {
  const { client } = writing;
  const body = client.kind === "job" ? job(writing) : client.kind === "device" ? device(writing) : code(writing);
  return {
    name: "curl",
    file: "sign-in.sh",
    commands: "sh sign-in.sh",
    note: client.kind === "device" ? "It waits until the code was entered." : null,
    text: lines("#!/bin/sh", "set -e", ...(client.hasSecret ? [". ./.env"] : []), "", ...body, ...reading(writing)),
  };
}

/** The client's credentials, as arguments. */
function credentials({ client }: Writing): string {
  return client.hasSecret ? `-u "${client.id}:$CLIENT_SECRET"` : `-d client_id=${shellQuoted(client.id)}`;
}

const TOKEN = `token=$(printf %s "$answer" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`;

function reading({ client, places }: Writing): string[] {
  const show = [`printf '%s\\n' "$answer"`, TOKEN];
  if (!client.scopes.includes("posts:read")) return [show[0] as string];
  return [
    ...show,
    "",
    `curl -s ${shellQuoted(places.graphql)} \\`,
    `  -H "authorization: Bearer $token" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"query":"{ posts(first: 3) { title } }"}'`,
  ];
}

function job(writing: Writing): string[] {
  const { places, scope } = writing;
  return [
    `answer=$(curl -s ${shellQuoted(places.token)} \\`,
    `  ${credentials(writing)} \\`,
    "  -d grant_type=client_credentials \\",
    `  --data-urlencode scope=${shellQuoted(scope)})`,
  ];
}

function device({ client, places, scope }: Writing): string[] {
  return [
    `started=$(curl -s ${shellQuoted(places.device)} \\`,
    `  -d client_id=${shellQuoted(client.id)} --data-urlencode scope=${shellQuoted(scope)})`,
    `part() { printf %s "$started" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }`,
    `echo "Open $(part verification_uri) and enter $(part user_code)"`,
    "",
    "while true; do",
    "  sleep 5",
    `  answer=$(curl -s ${shellQuoted(places.token)} \\`,
    `    -d client_id=${shellQuoted(client.id)} \\`,
    `    -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\`,
    `    -d device_code="$(part device_code)")`,
    `  case $answer in *authorization_pending* | *slow_down*) ;; *) break ;; esac`,
    "done",
  ];
}

function code(writing: Writing): string[] {
  const { client, places, scope } = writing;
  const redirectUri = client.redirectUri ?? "";
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope,
    code_challenge_method: "S256",
  });
  return [
    "verifier=$(openssl rand -hex 32)",
    `challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
    "state=$(openssl rand -hex 16)",
    "echo 'Open this in a browser:'",
    `echo ${shellQuoted(`${places.authorization}?${query}`)}"&code_challenge=$challenge&state=$state"`,
    "echo 'Paste the address that the browser comes back to, even if no page opens there:'",
    "read -r address",
    `case $address in *"state=$state"*) ;; *) echo 'This is not the answer to this request.'; exit 1 ;; esac`,
    `code=$(printf %s "$address" | sed -n 's/.*[?&]code=\\([^&]*\\).*/\\1/p')`,
    "",
    `answer=$(curl -s ${shellQuoted(places.token)} \\`,
    `  ${credentials(writing)} \\`,
    "  -d grant_type=authorization_code \\",
    `  -d code="$code" \\`,
    `  -d code_verifier="$verifier" \\`,
    `  --data-urlencode redirect_uri=${shellQuoted(redirectUri)})`,
  ];
}
