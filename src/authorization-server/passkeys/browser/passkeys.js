// Passkeys, by the browser's own functions (Web Authentication Level 3). Each button with data-passkey stands in a form with the fields
// `state` and `answer`: the answer of the device goes there, and the form is sent as any other. Nothing else on our pages runs a script.

/** @type {AbortController | null} The request that waits in the list of saved sign-ins. */
let waiting = null;

/** Presses of a button so far. */
let presses = 0;

for (const button of document.querySelectorAll("button[data-passkey]"))
  if (button instanceof HTMLButtonElement) start(button);

/** @param {HTMLButtonElement} button */
function start(button) {
  const isNew = button.dataset.passkey === "create";
  const options = JSON.parse(button.dataset.options ?? "{}");
  if (!canUse()) return;
  button.hidden = false;
  forget(button.dataset.unknown, options.rpId ?? options.rp?.id);
  accept(button.dataset.accepted);
  button.addEventListener("click", () => (isNew ? create(button, options) : get(button, options)));
  if (button.dataset.autofill !== undefined) void offer(button, options);
}

function canUse() {
  return (
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function" &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
  );
}

/**
 * Offers passkeys among the saved sign-ins of the address field.
 *
 * @param {HTMLButtonElement} button
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 */
async function offer(button, options) {
  const before = presses;
  const isThere = await PublicKeyCredential.isConditionalMediationAvailable?.();
  // A press of the button may have come first, and its answer may be on its way.
  if (isThere !== true || presses !== before) return;
  waiting = new AbortController();
  const { signal } = waiting;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  try {
    send(button, await navigator.credentials.get({ publicKey, signal, mediation: "conditional" }));
  } catch {
    // The person has taken another way: there is nothing to say.
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 */
async function get(button, options) {
  const isSent = await attempt(button, () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return navigator.credentials.get({ publicKey });
  });
  // Nothing came of it: the address field offers passkeys again.
  if (button.dataset.autofill !== undefined && !isSent) void offer(button, options);
}

/**
 * @param {HTMLButtonElement} button
 * @param {PublicKeyCredentialCreationOptionsJSON} options
 */
async function create(button, options) {
  const name = button.form?.elements.namedItem("name");
  if (name instanceof HTMLInputElement) {
    if (!name.reportValidity()) return;
    options.user.displayName = name.value.trim() || options.user.displayName;
  }
  await attempt(button, () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  });
}

/**
 * @param {HTMLButtonElement} button
 * @param {() => Promise<Credential | null>} ask
 * @returns {Promise<boolean>} whether there is an answer, which is on its way
 */
async function attempt(button, ask) {
  // Two requests at a time are refused by browsers.
  presses++;
  waiting?.abort();
  waiting = null;
  say(button, "");
  button.disabled = true;
  try {
    send(button, await ask());
    return true;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    // The person has closed the dialogue, or it has run out of time.
    if (name === "NotAllowedError" || name === "AbortError") return false;
    const isThere = name === "InvalidStateError";
    say(button, (isThere ? button.dataset.present : button.dataset.failed) ?? "");
    return false;
  } finally {
    button.disabled = false;
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {Credential | null} credential
 */
function send(button, credential) {
  const { form } = button;
  const answer = form?.elements.namedItem("answer");
  if (form === null || !(answer instanceof HTMLInputElement) || !(credential instanceof PublicKeyCredential))
    throw new TypeError("This is no passkey."); // an extension of the browser may answer with anything
  answer.value = JSON.stringify(credential.toJSON());
  form.submit();
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} text
 */
function say(button, text) {
  const line = button.nextElementSibling;
  if (!(line instanceof HTMLElement)) return;
  line.textContent = text;
  line.hidden = text === "";
}

/**
 * Tells the browser of a passkey that is not known here, so that it stops offering it.
 *
 * @param {string | undefined} credentialId
 * @param {string} rpId
 */
function forget(credentialId, rpId) {
  if (credentialId === undefined) return;
  signal("signalUnknownCredential", { rpId, credentialId });
}

/**
 * Tells the browser which passkeys of a person there are.
 *
 * @param {string | undefined} accepted as JSON
 */
function accept(accepted) {
  if (accepted === undefined) return;
  signal("signalAllAcceptedCredentials", JSON.parse(accepted));
}

/**
 * Calls a function that not every browser has.
 *
 * @param {string} name
 * @param {object} about
 */
function signal(name, about) {
  const known = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (PublicKeyCredential));
  const call = known[name];
  if (typeof call === "function") Promise.resolve(call.call(PublicKeyCredential, about)).catch(() => {});
}
