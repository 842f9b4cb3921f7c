import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type OwnClientFacts, OwnClientPage } from "../../documents/developers.ts";
import { BackLink } from "../../frame/back-link.tsx";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { idIn } from "../../frame/href.ts";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import type { PageProps } from "../../page-props.ts";
import { ApiFailure, type Studio } from "../../ports.ts";
import { readSettings } from "../../session/settings.ts";
import { openSignInWindow } from "../../session/sign-in-window.ts";
import { ClientTrial } from "./client-trial.ts";
import { obstacleOf } from "./obstacle.ts";
import type { Step } from "./steps.ts";

/** The sign-in of one client, step by step. */
export function TrialPage({ studio, id }: PageProps) {
  const client = useSignal<OwnClientFacts | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const clientId = idIn(id ?? "");
  async function load(): Promise<void> {
    failure.value = null;
    try {
      const { ownClients } = await studio.api.run(OwnClientPage, { id: clientId });
      client.value = ownClients.find((one) => one.id === clientId) ?? null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void load(), [clientId]);
  useTitle("Try the sign-in");
  return (
    <>
      <BackLink to={`/developers/${encodeURIComponent(clientId)}`}>{client.value?.name ?? "The client"}</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>Try the sign-in</h1>
      </header>
      {failure.value !== null ? (
        <FailureNote failure={failure.value} title="The client could not be loaded." onRetry={() => void load()} />
      ) : client.value === null ? (
        <SkeletonRows />
      ) : (
        <Trial key={clientId} {...{ studio }} client={client.value} />
      )}
    </>
  );
}

function Trial({ studio, client }: { readonly studio: Studio; readonly client: OwnClientFacts }) {
  const trial = useMemo(() => trialOf(studio, client), [studio, client]);
  const isBlocked = useSignal(false);
  useEffect(() => () => void trial.leave(), [trial]);
  const obstacle = obstacleOf(client);
  if (obstacle !== null) return <p class="note page-note">{obstacle}</p>;
  const state = trial.state.value;

  function open(): void {
    const opened = openSignInWindow();
    isBlocked.value = opened === null;
    if (opened !== null) void trial.signIn(opened);
  }
  async function begin(): Promise<void> {
    await trial.prepare();
    // Browsers that count the click no more open the window with the next one.
    if (trial.state.peek() === "ready") open();
  }
  const isBusy = state === "preparing" || state === "working";
  return (
    <>
      <p class="muted form page-note">
        The studio takes the place of your program: it sends you to the sign-in, gets the tokens, and uses them. Then it
        ends the tokens, and the secret that it made for the trial. If you allow the client, your consent stays.
      </p>
      <div class="actions">
        {state === "ready" ? (
          <button type="button" class="primary" onClick={open}>
            Open the sign-in
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) void begin();
            }}
          >
            {state === "idle" ? "Start" : "Start again"}
          </button>
        )}
      </div>
      <p class="hint" role="status">
        {STATE_WORDS[state]}
      </p>
      {isBlocked.value && (
        <p class="field-error" role="alert">
          The browser blocked the window. Allow pop-ups for this site, then press the button again.
        </p>
      )}
      <ol class="trial">
        {trial.steps.value.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
    </>
  );
}

const STATE_WORDS = {
  idle: "",
  preparing: "The server prepares the trial.",
  ready: "Everything is ready.",
  away: "Continue in the other window.",
  working: "The studio goes on as your program would.",
  done: "It works: every step is done.",
  failed: "A step failed. It says why.",
} as const;

const STEP_WORDS = { open: "Not yet", running: "Now", done: "Done", failed: "Failed" } as const;

function StepRow({ step: { name, state, failure, parts } }: { readonly step: Step }) {
  return (
    <li class={`trial-step ${state}`}>
      <div class="code-head">
        <h2>{name}</h2>
        <span class="tag">{STEP_WORDS[state]}</span>
      </div>
      {failure !== null && <p class="field-error">{failure}</p>}
      {parts.map(({ label, text }) => (
        <div key={label} class="trial-part">
          <p class="hint">{label}</p>
          <pre class="code-block wrapped">{text}</pre>
        </div>
      ))}
    </li>
  );
}

function trialOf({ api }: Studio, client: OwnClientFacts): ClientTrial {
  const settings = readSettings();
  return new ClientTrial(
    {
      api,
      server: JSON.parse(settings.authorizationServer),
      graphqlUrl: settings.graphqlUrl,
      redirectUri: settings.redirectUri.replace(/\/callback$/, "/try"),
    },
    client,
  );
}
