"""Signs a person in with Authlib, then reads and writes with gql. Each step that went well prints a line."""

import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import OAuth2Client
from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.httpx import HTTPXTransport
from joserfc import jwt
from joserfc.jwk import KeySet

ISSUER = os.environ["ISSUER"]
REDIRECT_URI = os.environ["REDIRECT_URI"]
SCOPE = "openid profile posts:read posts:write users:read"

with open("schema.graphql", encoding="utf-8") as file:
    SCHEMA = file.read()

CREATE = gql("mutation ($input: CreatePostInput!) { createPost(input: $input) { title status } }")
NEWEST = gql("query ($first: Int!) { posts(first: $first) { title author { name } } }")

server = httpx.get(f"{ISSUER}/.well-known/openid-configuration").raise_for_status().json()
client = OAuth2Client(
    client_id=os.environ["CLIENT_ID"],
    token_endpoint_auth_method="none",
    scope=SCOPE,
    redirect_uri=REDIRECT_URI,
    code_challenge_method="S256",
    token_endpoint=server["token_endpoint"],
)


def wait_for_answer(url):
    """Prints a URL for the person. Returns the URL to which the server sent them."""
    answers = []

    class Callback(BaseHTTPRequestHandler):
        def do_GET(self):
            answers.append(f"{REDIRECT_URI}?{urlsplit(self.path).query}")
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    redirect = urlsplit(REDIRECT_URI)
    with HTTPServer((redirect.hostname, redirect.port), Callback) as listener:
        print("Sign in at", url, flush=True)
        listener.timeout = 180
        listener.handle_request()
    return answers[0]


def sign_in():
    """Leaves the tokens in the client. Returns the claims of the ID token."""
    verifier, nonce = generate_token(64), generate_token()
    url, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
    answer = wait_for_answer(url)
    assert parse_qs(urlsplit(answer).query)["iss"] == [ISSUER], "the answer is another server's"
    token = client.fetch_token(authorization_response=answer, state=state, code_verifier=verifier)
    keys = KeySet.import_key_set(httpx.get(server["jwks_uri"]).raise_for_status().json())
    claims = jwt.decode(token["id_token"], keys, algorithms=["ES256"]).claims
    rules = jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": server["issuer"]},
        aud={"essential": True, "value": client.client_id},
        nonce={"essential": True, "value": nonce},
        exp={"essential": True},
    )
    rules.validate(claims)
    return claims


def ask(document, **variables):
    """Checks the document with the schema, sends it with the token of the client, and returns the data."""
    transport = HTTPXTransport(url=os.environ["API"], auth=client.token_auth)
    document.variable_values = variables
    with Client(transport=transport, schema=SCHEMA) as session:
        return session.execute(document)


claims = sign_in()
print("Signed in as", claims["name"])

info = client.get(server["userinfo_endpoint"]).raise_for_status().json()
assert info["sub"] == claims["sub"], "userinfo is about somebody else"
print("Userinfo of", info["name"])

post = ask(CREATE, input={"title": "Hello from Python", "body": "First *post*"})["createPost"]
print("Wrote", post["title"], post["status"])

first = dict(client.token)
client.refresh_token(server["token_endpoint"])
for name in ("access_token", "refresh_token"):
    assert client.token[name] != first[name], f"the refresh brought an old {name}"
print("Refreshed")

for post in ask(NEWEST, first=1)["posts"]:
    print("Read", post["title"], "by", post["author"]["name"])

revoked = client.revoke_token(server["revocation_endpoint"], client.token["refresh_token"])
revoked.raise_for_status()
print("Revoked")

deadline = time.monotonic() + 10
while True:  # a revocation takes effect within a second
    try:
        ask(NEWEST, first=1)
    except TransportQueryError as rejected:
        print("Rejected with", rejected.errors[0]["extensions"]["code"])
        break
    assert time.monotonic() < deadline, "the revoked token still works"
    time.sleep(0.02)

try:
    client.refresh_token(server["token_endpoint"])
    raise SystemExit("the refresh after the revocation succeeded")
except OAuthError as refused:
    print("Refresh rejected with", refused.error)
