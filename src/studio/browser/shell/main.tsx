import { render } from "preact";
import { applyAppearance } from "../frame/document/preferences.ts";
import { finishSignIn, leaveForSignIn, openDoorway, openSession } from "../session/session.ts";
import { readSettings } from "../session/settings.ts";
import { handBack, isOfWindow } from "../session/sign-in-window.ts";
import type { AccessToken } from "../session/tokens.ts";
import { App } from "./app.tsx";
import { DoorPage } from "./door-page.tsx";
import { watchForNewVersion } from "./program/new-version.ts";
import { openRouter } from "./program/router.ts";
import { SIGNED_OUT } from "./program/sign-out.ts";
import { openStudio } from "./program/start.ts";
import "../frame/base.css";

const settings = readSettings();
const root = document.getElementById("studio");
const address = new URL(location.href);

if (root !== null && !window.isSecureContext) {
  render(
    <DoorPage
      settings={settings}
      title="The studio needs https"
      message="Browsers allow its cryptography over https or on this device only."
      action={null}
    />,
    root,
  );
} else if (root !== null && address.origin !== new URL(settings.redirectUri).origin) {
  // The sign-in comes back to one origin, and storage belongs to one.
  location.replace(new URL(settings.redirectUri).origin + address.pathname + address.search);
} else if (root !== null) await start(root);

/** Signs in where nobody is signed in, then shows the page. */
async function start(root: HTMLElement): Promise<void> {
  const door = openDoorway(settings);
  const retry = (action: string, work: () => Promise<void>) => ({
    label: action,
    run: () => void work().catch((error: Error) => show("You are not signed in", error.message)),
  });
  const show = (title: string, message: string, action?: { readonly label: string; run(): void } | null) =>
    render(
      <DoorPage
        {...{ settings, title, message }}
        action={action === undefined ? retry("Sign in", () => leaveForSignIn(door, "/")) : action}
      />,
      root,
    );

  applyAppearance();
  try {
    const isCallback = address.pathname === new URL(settings.redirectUri).pathname;
    const isTrial = address.pathname === `${settings.base}/try`; // of a client, see developers/trial
    if (isTrial || (isCallback && isOfWindow(address))) {
      handBack(address);
      // Whether the sign-in succeeded is said in the other window.
      return closeWindow(show, "Go on in the other window");
    }
    let held: AccessToken | null = null;
    if (isCallback) {
      const { returnTo, token } = await finishSignIn(door, address);
      if (returnTo === null) return closeWindow(show, "You are signed in");
      held = token;
      history.replaceState({}, "", settings.base + returnTo);
    }
    const session = await openSession(door, held);
    if (session === null) {
      if (sessionStorage.getItem(SIGNED_OUT) !== null) {
        sessionStorage.removeItem(SIGNED_OUT);
        history.replaceState({}, "", `${settings.base}/`);
        return show("You are signed out", "Nothing of yours is kept in this browser.");
      }
      return await leaveForSignIn(door, address.pathname.slice(settings.base.length) + address.search);
    }
    const router = openRouter(settings.base);
    const studio = await openStudio(settings, session, router);
    root.replaceChildren();
    render(<App studio={studio} />, root);
    watchForNewVersion(settings);
  } catch (error) {
    const { message } = error as Error;
    history.replaceState({}, "", `${settings.base}/`); // the code in the address works once
    show(
      "The studio could not start",
      message,
      retry("Try again", async () => location.reload()),
    );
  }
}

/** A window for the sign-in alone has done its work. Browsers may refuse to close it, so the code leaves its URL. */
function closeWindow(show: (title: string, message: string, action: null) => void, title: string): void {
  history.replaceState({}, "", address.pathname);
  show(title, "You can close this window.", null);
  window.close();
}
