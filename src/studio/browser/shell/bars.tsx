import { isPartGone } from "../frame/document/parts.ts";
import { Icon } from "../frame/icon.tsx";
import { keepsTexts } from "../saving/device/browser-device.ts";
import { hasNewVersion } from "./program/new-version.ts";
import type { OpenStudio } from "./program/start.ts";

const NOT_KEPT = "This browser does not keep texts: keep this page open.";

/** Bars above every page: the session, the network, a new version. */
export function Bars({ studio }: { readonly studio: OpenStudio }) {
  const { session, isSignedIn, isOnline, person, signInFailure } = studio;
  const isOther = session.otherPersonId.value !== null;
  return (
    <div class="bars" role="status">
      {isOther ? (
        <div class="bar-note danger">
          <Icon name="warning" />
          <p>
            Somebody else signed in in this browser. This page belongs to {person.value.name}. Nothing of it is sent
            until {person.value.name} signs in again.
          </p>
          <button type="button" onClick={() => studio.signIn()}>
            Sign in as {person.value.name}
          </button>
          <button type="button" onClick={() => location.reload()}>
            Leave this page
          </button>
        </div>
      ) : (
        !isSignedIn.value && (
          <div class="bar-note danger">
            <Icon name="warning" />
            <p>You are signed out. {keepsTexts.value ? "Your text is kept on this device." : NOT_KEPT}</p>
            <button type="button" class="primary" onClick={() => studio.signIn()}>
              Sign in
            </button>
          </div>
        )
      )}
      {signInFailure.value !== null && <p class="bar-note danger">{signInFailure.value}</p>}
      {!isOnline.value && (
        <div class="bar-note">
          <Icon name="device" />
          <p>
            You are offline. {keepsTexts.value ? "You can go on writing: your text is kept on this device." : NOT_KEPT}
          </p>
        </div>
      )}
      {(hasNewVersion.value || isPartGone.value) && (
        <div class="bar-note">
          <p>A new version is here. Your text is safe.</p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      )}
    </div>
  );
}
