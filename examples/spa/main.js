// A single-page client: it signs people in with the authorization code flow and PKCE, and calls the API as them.
const { UserManager, WebStorageStateStore } = globalThis.oidc;

const settings = await (await fetch("settings.json")).json();
const here = `${location.origin}/`;
const manager = new UserManager({
  authority: settings.issuer,
  client_id: settings.clientId,
  redirect_uri: here,
  post_logout_redirect_uri: here,
  scope: "openid profile posts:read posts:write users:read",
  // The library checks state, nonce and PKCE, and trades the refresh token for a new access token before it expires.
  userStore: new WebStorageStateStore({ store: sessionStorage }),
  revokeTokensOnSignout: true,
});

const [person, message, form, posts] = ["person", "message", "write", "posts"].map((id) => document.getElementById(id));
const signIn = document.getElementById("sign-in");
const signOut = document.getElementById("sign-out");

signIn.addEventListener("click", () => attempt(() => manager.signinRedirect()));
signOut.addEventListener("click", () => attempt(() => manager.signoutRedirect()));
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await attempt(publish);
});
manager.events.addAccessTokenExpired(() => attempt(show));

await attempt(async () => {
  try {
    await finishSignIn();
  } finally {
    await show();
  }
});

/** What the authorization server sent back with the address, if it did. */
async function finishSignIn() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("state")) return;
  history.replaceState(null, "", here);
  // Another server's answer must not be taken for ours (RFC 9207).
  if (answer.has("iss") && answer.get("iss") !== settings.issuer)
    throw new Error("The answer came from another server.");
  if (answer.has("code") || answer.has("error")) await manager.signinRedirectCallback(`${here}?${answer}`);
}

async function show() {
  const user = await manager.getUser();
  const signedIn = user !== null && !user.expired;
  person.textContent = signedIn ? (user.profile.name ?? user.profile.sub) : "";
  signIn.hidden = signedIn;
  signOut.hidden = !signedIn;
  form.hidden = !signedIn;
  posts.replaceChildren();
  if (!signedIn) return;
  const data = await query("query Posts { posts { id title body createdAt author { name } } }");
  posts.replaceChildren(...data.posts.map(toArticle));
}

async function publish() {
  const { title, body } = Object.fromEntries(new FormData(form));
  await query(
    "mutation CreatePost($title: String!, $body: String!) { createPost(input: { title: $title, body: $body }) { id } }",
    { title, body },
  );
  form.reset();
  await show();
  message.textContent = "Published.";
}

/** GraphQL over HTTP with the person's token; throws what the API says is wrong. */
async function query(text, variables = {}) {
  const user = await manager.getUser();
  const response = await fetch(`${settings.api}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${user?.access_token}` },
    body: JSON.stringify({ query: text, variables }),
  });
  if (response.status === 401) {
    await manager.removeUser();
    await show();
    throw new Error("You were signed out. Sign in again.");
  }
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors.map((error) => error.message).join(" "));
  return data;
}

function toArticle({ title, body, createdAt, author }) {
  const article = document.createElement("article");
  const heading = article.appendChild(document.createElement("h2"));
  heading.textContent = title;
  const text = article.appendChild(document.createElement("p"));
  text.textContent = body;
  const byline = article.appendChild(document.createElement("small"));
  byline.textContent = `${author.name}, ${new Date(createdAt).toLocaleString()}`;
  return article;
}

async function attempt(action) {
  message.textContent = "";
  try {
    await action();
  } catch (error) {
    message.textContent = error.message;
  }
}
