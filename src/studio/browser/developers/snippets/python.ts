import { isServed, lines, pathOf, portOf, quoted, type Snippet, type Writing, withPort } from "./snippet.ts";

/** Python, with Authlib where a browser takes part. */
export function python(writing: Writing): Snippet {
  const { client } = writing;
  const env = client.hasSecret ? "set -a; . ./.env; set +a\n" : "";
  const isSite = client.kind === "web" && client.redirectUri !== null && isServed(client.redirectUri);
  const needs = isSite ? "authlib flask requests" : usesBrowser(writing) ? "authlib requests" : "requests";
  return {
    name: "Python",
    file: "sign_in.py",
    commands: `pip install ${needs}\n${env}python sign_in.py`,
    note: null,
    text: isSite ? flask(writing) : usesBrowser(writing) ? session(writing) : requests(writing),
  };
}

function usesBrowser({ client }: Writing): boolean {
  return client.kind !== "job" && client.kind !== "device";
}

function reading({ client, places }: Writing, token: string): string[] {
  if (!client.scopes.includes("posts:read")) return [];
  return [
    "answer = requests.post(",
    `    ${quoted(places.graphql)},`,
    `    headers={"authorization": f"Bearer {${token}}"},`,
    `    json={"query": "{ posts(first: 3) { title } }"},`,
    ")",
    "print(answer.json())",
  ];
}

function flask({ client, places, scope }: Writing): string {
  const redirectUri = withPort(client.redirectUri ?? "");
  const path = pathOf(redirectUri);
  return lines(
    "import os",
    "import secrets",
    "",
    "from authlib.integrations.flask_client import OAuth",
    "from flask import Flask",
    "",
    "app = Flask(__name__)",
    "app.secret_key = secrets.token_hex()",
    "oauth = OAuth(app)",
    "oauth.register(",
    `    "content",`,
    `    server_metadata_url=${quoted(places.discovery)},`,
    `    client_id=${quoted(client.id)},`,
    `    client_secret=os.environ["CLIENT_SECRET"],`,
    `    client_kwargs={"scope": ${quoted(scope)}, "code_challenge_method": "S256"},`,
    ")",
    "",
    "",
    `@app.get(${quoted(path === "/" ? "/sign-in" : "/")})`,
    "def begin():",
    `    return oauth.content.authorize_redirect(${quoted(redirectUri)})`,
    "",
    "",
    `@app.get(${quoted(path)})`,
    "def finish():",
    "    token = oauth.content.authorize_access_token()",
    `    return dict(token.get("userinfo") or {})`,
    "",
    "",
    `app.run(port=${portOf(redirectUri)})`,
  );
}

function session(writing: Writing): string {
  const { client, places, scope } = writing;
  return lines(
    client.hasSecret ? "import os" : null,
    client.hasSecret ? "" : null,
    "import requests",
    "from authlib.common.security import generate_token",
    "from authlib.integrations.requests_client import OAuth2Session",
    "",
    "client = OAuth2Session(",
    `    ${quoted(client.id)},`,
    client.hasSecret ? `    os.environ["CLIENT_SECRET"],` : `    token_endpoint_auth_method="none",`,
    `    redirect_uri=${quoted(client.redirectUri ?? "")},`,
    `    scope=${quoted(scope)},`,
    `    code_challenge_method="S256",`,
    ")",
    "verifier = generate_token(48)",
    `address, state = client.create_authorization_url(${quoted(places.authorization)}, code_verifier=verifier)`,
    `print("Open", address)`,
    `back = input("Paste the address that it comes back to: ")`,
    `token = client.fetch_token(${quoted(places.token)}, authorization_response=back, state=state, code_verifier=verifier)`,
    ...reading(writing, `token['access_token']`),
  );
}

function requests(writing: Writing): string {
  const { client, places, scope } = writing;
  const isJob = client.kind === "job";
  const head = isJob ? ["import os", "", "import requests", ""] : ["import time", "", "import requests", ""];
  const grant = isJob
    ? [
        "token = requests.post(",
        `    ${quoted(places.token)},`,
        `    auth=(${quoted(client.id)}, os.environ["CLIENT_SECRET"]),`,
        `    data={"grant_type": "client_credentials", "scope": ${quoted(scope)}},`,
        ").json()",
      ]
    : [
        "started = requests.post(",
        `    ${quoted(places.device)},`,
        `    data={"client_id": ${quoted(client.id)}, "scope": ${quoted(scope)}},`,
        ").json()",
        `print(f"Open {started['verification_uri']} and enter {started['user_code']}")`,
        `wait = started.get("interval", 5)`,
        "while True:",
        "    time.sleep(wait)",
        "    token = requests.post(",
        `        ${quoted(places.token)},`,
        "        data={",
        `            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",`,
        `            "device_code": started["device_code"],`,
        `            "client_id": ${quoted(client.id)},`,
        "        },",
        "    ).json()",
        `    if "access_token" in token:`,
        "        break",
        `    if token["error"] == "slow_down":`,
        "        wait += 5",
        `    elif token["error"] != "authorization_pending":`,
        `        raise SystemExit(token.get("error_description", token["error"]))`,
      ];
  return lines(...head, ...grant, ...reading(writing, `token['access_token']`));
}
