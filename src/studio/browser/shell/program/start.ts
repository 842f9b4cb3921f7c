import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { openApi, type StudioApi } from "../../api/client.ts";
import { openCopyEvents } from "../../api/copy-events.ts";
import { openEvents } from "../../api/events.ts";
import { leadWithFocus } from "../../api/lead.ts";
import { Start } from "../../documents/frame.ts";
import { notify } from "../../frame/notices.tsx";
import { ApiFailure, type Person, type ServerInfo, type Studio } from "../../ports.ts";
import type { LocalDraft } from "../../saving/device/local-draft.ts";
import type { Session } from "../../session/session.ts";
import type { Settings } from "../../session/settings.ts";
import type { Tokens } from "../../session/tokens.ts";
import { type Doors, openDoors } from "./doors.ts";
import { type OnDevice, openOnDevice, sendWhenPossible } from "./on-device.ts";
import type { Router } from "./router.ts";

/** The studio of one person in this tab. */
export interface OpenStudio extends Studio {
  readonly api: StudioApi;
  readonly router: Router;
  readonly session: Session;
  readonly settings: Settings;
  /** Why the sign-in window could not be opened; null where nothing went wrong. */
  readonly signInFailure: ReadonlySignal<string | null>;
  readonly onDevice: OnDevice;
  /** Whether the person was asked about texts that a sign-out would lose. */
  readonly leaving: Signal<readonly LocalDraft[] | null>;
  readonly doors: Doors;
}

const EVENT_LOCK = "studio-events";
const COPY_EVENT_LOCK = "studio-copy-events";
const EVENT_CHANNEL = "studio-events";

/**
 * Opens the studio. The stored session names the person, so that the page is there at once and without a
 * network, and then from the API.
 *
 * @throws ApiFailure where nothing is kept and the API cannot be asked
 */
export async function openStudio(settings: Settings, session: Session, router: Router): Promise<OpenStudio> {
  const { tokens, authorization, kept } = session;
  const openWith = (from: Pick<Tokens, "get" | "replace">) =>
    openApi({
      graphqlUrl: new URL(settings.graphqlUrl),
      tokens: from,
      send: (...request) => authorization.fetch(...request),
      now: Date.now,
    });
  const api = openWith(tokens);
  const ask = async (): Promise<{ person: Person; server: ServerInfo }> => {
    const { viewer, viewerRole, serverInfo } = await api.run(Start, {});
    if (viewer === null) throw new ApiFailure({ kind: "signed-out", message: "This account no longer exists." });
    const facts = { person: { ...viewer, role: viewerRole ?? "MEMBER" }, server: serverInfo };
    await session.remember(facts).catch(() => undefined); // a full disk keeps nobody from working
    return facts;
  };
  const { person: keptPerson, server: keptServer } = kept;
  const facts = keptPerson !== null && keptServer !== null ? { person: keptPerson, server: keptServer } : await ask();
  const person = signal(facts.person);
  const server = signal(facts.server);
  if (keptPerson !== null && keptServer !== null)
    ask().then(
      (present) => {
        person.value = present.person;
        server.value = present.server;
      },
      () => undefined, // pages say what they cannot load
    );

  const isOnline = signal(navigator.onLine);
  for (const type of ["online", "offline"])
    addEventListener(type, () => {
      isOnline.value = navigator.onLine;
    });

  const events = openEvents({
    api,
    lead: (work, abort) => navigator.locks.request(EVENT_LOCK, { signal: abort }, work),
    channel: new BroadcastChannel(EVENT_CHANNEL),
    wait,
  });
  tokens.isSignedIn.subscribe((isSignedIn) => {
    if (isSignedIn) void events.begin();
  });

  const copyEvents = openCopyEvents({
    api,
    lead: (work, end) => leadWithFocus(COPY_EVENT_LOCK, work, end),
    wait,
    now: Date.now,
  });

  const signInFailure = signal<string | null>(null);
  const base: Omit<OpenStudio, "doors"> = {
    ...{ api, person, server, isOnline, router, session, settings, signInFailure, notify },
    leaving: signal(null),
    onDevice: openOnDevice(facts.person.id),
    isSignedIn: tokens.isSignedIn,
    signIn() {
      signInFailure.value = null;
      // Parts keep what is typed when the page is left; see saving/.
      const leave = () => Promise.resolve();
      session.signIn(location.pathname.slice(settings.base.length) + location.search, leave).catch((error: Error) => {
        signInFailure.value = error.message;
      });
    },
    go: (path, options) => router.go(path, options),
    onPostEvent: (listener) => events.on(listener),
    onCopyEvent: (postId, listener) => copyEvents.follow(postId, listener),
  };
  const studio: OpenStudio = { ...base, doors: openDoors(base, session, openWith) };
  sendWhenPossible(studio);
  return studio;
}

function wait(time: number, abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    abort.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
