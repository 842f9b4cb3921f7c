import { render } from "preact";
import { applyAppearance } from "../frame/document/preferences.ts";
import { finishSignIn, leaveForSignIn, openDoorway, openSession } from "../session/session.ts";
import { readSettings } from "../session/settings.ts";
import { handBack } from "../session/sign-in-window.ts";
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
  const show = (title: string, message: string, action = retry("Sign in", () => leaveForSignIn(door, "/"))) =>
    render(<DoorPage {...{ settings, title, message, action }} />, root);

  applyAppearance();
  try {
    if (address.pathname === `${settings.base}/try`) {
      // The answer to the trial of a client (developers/trial), which another tab waits for.
      handBack(address);
      history.replaceState({}, "", address.pathname);
      return closeWindow(show);
    }
    let held: AccessToken | null = null;
    if (address.pathname === new URL(settings.redirectUri).pathname) {
      const { returnTo, token } = await finishSignIn(door, address);
      if (returnTo === null) return closeWindow(show);
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

/** A window for the sign-in alone has done its work. Browsers may refuse to close it. */
function closeWindow(show: (title: string, message: string, action?: undefined) => void): void {
  show("You are signed in", "You can close this window and go on in the other one.");
  window.close();
}
