import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Dialog, IsInSight } from "../frame/dialog.tsx";
import { useTitle } from "../frame/document/title.ts";
import { Icon } from "../frame/icon.tsx";
import type { Demand } from "../session/elevation.ts";
import type { DoorName } from "./program/doors.ts";
import type { OpenStudio } from "./program/start.ts";

interface GateProps {
  readonly studio: OpenStudio;
  readonly door: DoorName;
  readonly children: ComponentChildren;
}

/** Lets those in who may go in. A page that was open stays as it was, out of sight, while its person signs in again. */
export function Gate({ studio, door, children }: GateProps) {
  const { elevation, asked } = studio.doors[door];
  const state = elevation.state.value;
  const root = useRef<HTMLDivElement>(null);
  const wasOpen = useSignal(false);
  if (state === "open") wasOpen.value = true;
  const refusal = refusalOf(studio, door);
  useEffect(() => {
    if (refusal === null && studio.isSignedIn.value) void elevation.enter();
  }, [elevation, refusal, studio.isSignedIn.value]);
  useEffect(
    () => () => {
      // Nothing that waits is sent when the person has gone elsewhere.
      asked.peek()?.answer(false);
      elevation.giveUp();
    },
    [elevation, asked],
  );
  useEffect(() => {
    const active = document.activeElement;
    if (state === "open" && (active === null || active === document.body || active.id === "main"))
      root.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [state]);
  if (refusal !== null) return <Refused title={refusal} help="Ask an administrator for what you need." />;
  return (
    <>
      {!studio.isSignedIn.value && (
        <Refused
          title="You are signed out"
          help={wasOpen.value ? "Sign in to go on. What you typed is still here." : "Sign in to go on."}
        />
      )}
      {(state === "sign-in" || state === "idle") && <SignInAgain studio={studio} door={door} wasOpen={wasOpen.value} />}
      {wasOpen.value && (
        <div ref={root} hidden={state !== "open"}>
          <IsInSight.Provider value={state === "open"}>{children}</IsInSight.Provider>
        </div>
      )}
      {asked.value !== null && (
        <Dialog title="Sign in again" onClose={() => asked.peek()?.answer(false)}>
          <p>
            This change needs a sign-in within the last {minutesOf(asked.value.demand)}, so that nobody else makes it at
            a screen that you left.
          </p>
          <Failure text={elevation.failure.value} />
          <div class="dialog-actions">
            <button type="button" onClick={() => asked.peek()?.answer(false)}>
              Cancel
            </button>
            <button
              type="button"
              class="primary"
              onClick={async () => {
                const now = asked.peek();
                if (now !== null && (await elevation.signIn(now.demand))) now.answer(true);
              }}
            >
              Sign in
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function minutesOf({ maxAge = 0 }: Demand): string {
  const minutes = Math.max(1, Math.round(maxAge / 60));
  return minutes === 1 ? "minute" : `${minutes} minutes`;
}

/** Why the person may not go in, as a title; null for those who may. */
function refusalOf({ person, server }: OpenStudio, door: DoorName): string | null {
  if (door === "administration") return person.value.role === "ADMIN" ? null : "This is for administrators";
  return server.value.clientsBy === "PEOPLE" ? null : "Only administrators register clients here";
}

function Refused({ title, help }: { readonly title: string; readonly help: string }) {
  useTitle(title);
  return (
    <div class="empty">
      <h1 tabIndex={-1}>{title}</h1>
      <p class="muted">{help}</p>
    </div>
  );
}

function SignInAgain({ studio, door, wasOpen }: Omit<GateProps, "children"> & { readonly wasOpen: boolean }) {
  const { elevation } = studio.doors[door];
  const isIdle = elevation.state.value === "idle";
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle("Sign in again");
  // The element that had the focus is out of sight.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div class="empty">
      <Icon name="key" />
      <h1 ref={heading} tabIndex={-1}>
        {isIdle ? "Nobody was here for 15 minutes" : "Sign in again"}
      </h1>
      <p class="muted">
        {door === "administration"
          ? "These pages need a sign-in within the last 30 minutes."
          : "Sign in to open these pages."}{" "}
        {wasOpen && "What you typed is still here."}
      </p>
      <Failure text={elevation.failure.value} />
      <button type="button" class="primary" onClick={() => void elevation.signIn()}>
        Sign in
      </button>
    </div>
  );
}

function Failure({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p class="field-error" role="alert">
      {text}
    </p>
  );
}
