// @ts-check
import { finishSignIn, readSettings, SignInError } from "./oauth.js";

const settings = readSettings();
const response = new URLSearchParams(location.search);
// The code must not stay in the address bar or in the history.
history.replaceState(null, "", location.pathname);

try {
  await finishSignIn(settings, response);
  location.replace(settings.graphqlPath);
} catch (error) {
  const text = error instanceof SignInError ? error.message : "Something unexpected happened.";
  show("title", "You are not signed in");
  show("message", `${text} Nothing was changed; you can start again from the explorer.`);
  if (!(error instanceof SignInError)) throw error;
}

/**
 * @param {string} id
 * @param {string} text
 */
function show(id, text) {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
}
