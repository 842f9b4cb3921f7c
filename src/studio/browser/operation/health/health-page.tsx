import { useEffect, useMemo } from "preact/hooks";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { href } from "../../frame/href.ts";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { PageProps } from "../../page-props.ts";
import type { Api } from "../../ports.ts";
import { StateMark } from "../state-mark.tsx";
import { repeatWhileSeen } from "../while-seen.ts";
import { type HealthCheck, HealthWatch } from "./health-watch.ts";
import { checkTitle, pageOf, STATE_WORDS, summaryOf } from "./health-words.ts";
import "./health.css";

/** Milliseconds between looks. */
const LOOKS = 10_000;

/** Findings stay while the page is left, so that Back shows them immediately. */
const watches = new WeakMap<Api, HealthWatch>();

/** The health of the server and of what it uses: what needs attention first. */
export function HealthPage({ studio }: PageProps) {
  const watch = useMemo(() => watchOf(studio.api), [studio.api]);
  useTitle("Health");
  useEffect(() => {
    void watch.refresh();
    return repeatWhileSeen(
      () => watch.refresh(),
      () => LOOKS,
    );
  }, [watch]);
  const health = watch.health.value;
  const failure = watch.failure.value;
  const checks = health?.checks ?? [];
  const wrong = checks.filter(({ state }) => state !== "OK");
  const right = checks.filter(({ state }) => state === "OK");
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Health</h1>
        <button type="button" aria-disabled={watch.isLoading.value} onClick={() => void watch.refresh()}>
          Check now
        </button>
      </header>
      {health !== null && (
        <p class="lead">
          <span role="status">{summaryOf(health)}</span> Checked <Moment value={health.checkedAt} />, and every 10
          seconds while you look.
        </p>
      )}
      {failure !== null && (
        <FailureNote
          failure={failure}
          title={health === null ? "The health could not be read." : "What you see may be old."}
          onRetry={() => void watch.refresh()}
        />
      )}
      {health === null && failure === null && <SkeletonRows />}
      {wrong.length > 0 && (
        <section class="section">
          <h2>Needs attention</h2>
          <ul class="stack">
            {wrong.map((check) => (
              <Problem key={`${check.name} ${check.detail}`} check={check} />
            ))}
          </ul>
        </section>
      )}
      {right.length > 0 && (
        <section class="section">
          <h2>In order</h2>
          <dl class="facts checks">
            {right.map(({ name, detail }) => (
              <div key={`${name} ${detail}`}>
                <dt>{checkTitle(name)}</dt>
                <dd>{detail}</dd>
              </div>
            ))}
            <div>
              <dt>Build</dt>
              <dd>
                <code>{studio.server.value.build}</code>
              </dd>
            </div>
          </dl>
        </section>
      )}
    </>
  );
}

function Problem({ check }: { readonly check: HealthCheck }) {
  const page = pageOf(check);
  return (
    <li class={check.state === "FAILING" ? "note danger problem" : "note problem"}>
      <h3>{checkTitle(check.name)}</h3>
      <StateMark tone={check.state === "FAILING" ? "danger" : "warns"}>{STATE_WORDS[check.state]}</StateMark>
      <p>{check.detail}</p>
      {check.advice !== null && <p class="muted">{withCode(check.advice)}</p>}
      {page !== null && (
        <p>
          <a href={href(page.path)}>{page.words}</a>
        </p>
      )}
    </li>
  );
}

/** Text in which commands and files stand between backticks. */
function withCode(text: string) {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={part}>{part}</code>));
}

/** A time of day with its seconds: findings are never old for long. */
function Moment({ value }: { readonly value: string }) {
  const at = new Date(value);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? (
    <time dateTime={value}>at {at.toLocaleTimeString()}</time>
  ) : (
    <>
      on <Time value={value} exact />
    </>
  );
}

function watchOf(api: Api): HealthWatch {
  const watch = watches.get(api) ?? new HealthWatch(api);
  watches.set(api, watch);
  return watch;
}
