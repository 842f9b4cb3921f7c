// @ts-check
import { readResults } from "./event-stream.js";
import { leaveEditorsByKeyboard } from "./keyboard.js";
import {
  forgetSession,
  hasExpired,
  isBackFromSignOut,
  needSignIn,
  readSession,
  readSettings,
  SignInError,
  signOut,
  startSignIn,
} from "./oauth.js";

/** @type {any} */
const { React, ReactDOM, GraphiQL } = globalThis;

const POSTS = `# The newest posts. Run this with Ctrl-Enter.
query Posts {
  posts {
    id
    title
    createdAt
    author {
      name
    }
  }
}
`;

const CREATE_POST = `# Publishes a post as you.
mutation CreatePost($title: String!, $body: String!) {
  createPost(input: { title: $title, body: $body }) {
    id
    title
    createdAt
  }
}
`;

const POST_VARIABLES = JSON.stringify({ title: "Hello", body: "My first post." }, null, 2);

/** The name GraphiQL gives its own question for the schema, so that a person's introspection query is not mistaken for it. */
const SCHEMA_QUERY = "ExplorerSchema";

const settings = readSettings();

const person = element("person");
const notice = element("notice");
const signInButton = element("sign-in");
const signOutButton = element("sign-out");

signInButton.addEventListener("click", signIn);
signOutButton.addEventListener("click", async () => {
  try {
    await signOut(settings);
  } catch (error) {
    showPerson(explain(error));
    signInButton.focus();
  }
});
// A page that comes back from the browser's memory may be older than the session.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) showPerson();
});

leaveEditorsByKeyboard(element("explorer"), element("keys"));
if (isBackFromSignOut(new URLSearchParams(location.search))) {
  history.replaceState(null, "", location.pathname);
  showPerson(
    `The explorer is signed out. Your session at ${settings.operator} has ended too, unless you chose to stay signed in there.`,
  );
} else if (hasExpired()) endSession();
else showPerson();
if (location.hash === "#sign-in") {
  history.replaceState(null, "", location.pathname + location.search);
  await signIn();
}
if (new URLSearchParams(location.search).has("docs")) openDocumentation();
renderEditor();

async function signIn() {
  try {
    const here = new URL(settings.graphqlUrl);
    // The session is kept per origin, and sign-in comes back to the public one.
    if (location.origin !== here.origin) location.assign(`${here.href}#sign-in`);
    else await startSignIn(settings);
  } catch (error) {
    showPerson(explain(error));
  }
}

function endSession(
  message = `The explorer's access has ended. Sign in again. Your session at ${settings.operator} may go on.`,
) {
  forgetSession();
  showPerson(message);
}

/** @param {string} [message] */
function showPerson(message = "") {
  const session = readSession();
  person.textContent = session === null ? "" : `${session.name}${session.isAdministrator ? " (administrator)" : ""}`;
  person.hidden = session === null;
  signOutButton.hidden = session === null;
  signInButton.hidden = session !== null;
  notice.textContent = message;
}

/**
 * GraphQL over HTTP, with the person's token.
 * @param {{ query: string, operationName?: string | null, variables?: unknown }} parameters
 * @param {{ headers?: Record<string, string> }} [options]
 * @returns {Promise<unknown>} what is shown as the response; of a subscription, one after the other
 */
async function sendQuery(parameters, options) {
  if (parameters.operationName === SCHEMA_QUERY && settings.schemaPath !== "") {
    return (await fetch(settings.schemaPath)).json();
  }
  const expired = hasExpired();
  const session = readSession();
  const answer = await fetch(settings.graphqlPath, {
    method: "POST",
    headers: {
      accept: "application/graphql-response+json, application/json;q=0.9, text/event-stream;q=0.8",
      "content-type": "application/json",
      ...(session !== null && { authorization: `Bearer ${session.accessToken}` }),
      ...options?.headers,
    },
    body: JSON.stringify(parameters),
  });
  if (answer.status !== 401 && notice.textContent !== "") showPerson();
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && answer.body !== null) return readResults(answer.body);
  const result = readJson(await answer.text()) ?? {
    errors: [{ message: `The server answered with status ${answer.status} and no JSON.` }],
  };
  if (answer.status === 401) {
    const [refusal] = result.errors ?? [];
    if (needSignIn(refusal?.extensions ?? {})) endSession(refusal.message);
    else if (expired || session !== null) endSession();
    else showPerson("Sign in to run this.");
  }
  return result;
}

/**
 * @param {string} text
 * @returns {any} null for what is no JSON
 */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function renderEditor() {
  const address = new URLSearchParams(location.search);
  const query = address.get("query");
  const root = ReactDOM.createRoot(element("explorer"));
  root.render(
    React.createElement(
      GraphiQL,
      {
        fetcher: sendQuery,
        introspectionQueryName: SCHEMA_QUERY,
        schemaDescription: true,
        // A header typed by hand may hold a token: it is not written to disk.
        shouldPersistHeaders: false,
        defaultEditorToolsVisibility: "variables",
        defaultTabs: [{ query: POSTS }, { query: CREATE_POST, variables: POST_VARIABLES }],
        ...(query !== null && { query, variables: address.get("variables") ?? "" }),
      },
      React.createElement(GraphiQL.Logo, null, null),
    ),
  );
}

/** For links to the documentation. The pane has no size when GraphiQL is told to begin with it, so its button is pressed. */
function openDocumentation() {
  new MutationObserver((_changes, observer) => {
    if (document.querySelector(".graphiql-sidebar button") === null) return;
    observer.disconnect();
    const button = document.querySelector('[aria-label="Show Documentation Explorer"]');
    if (button instanceof HTMLElement) button.click();
  }).observe(element("explorer"), { childList: true, subtree: true });
}

/** @param {unknown} error */
function explain(error) {
  if (error instanceof SignInError) return error.message;
  console.error(error);
  return "Something unexpected happened; the browser's console has more.";
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}
