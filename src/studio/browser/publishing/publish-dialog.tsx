import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import { postFailureWords } from "../api/failure-words.ts";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { ApiFailure, type PostFacts, type Studio, type Writing } from "../ports.ts";
import { isSame } from "../saving/device/texts.ts";
import { addressOf } from "./address.ts";
import { applyText, changeState, type Step } from "./changes.ts";
import { type Look, lookAtText } from "./publish-look.ts";
import { PublishedView } from "./published-view.tsx";
import { type ChosenTime, ScheduleFields } from "./schedule/schedule-fields.tsx";
import { audienceWords, goLiveTime, plannedTime, stateWords, updateWords } from "./sentences.ts";
import "./publishing.css";

interface PublishDialogProps {
  readonly studio: Studio;
  readonly writing: Writing;
  readonly onClose: () => void;
}

type Phase = "looking" | "ready" | "sending" | "done";

/** Shows what is about to be published, and publishes exactly that: now, or at a time. */
export function PublishDialog({ studio, writing, onClose }: PublishDialogProps) {
  const id = useId();
  const post = writing.post.value;
  const [phase, setPhase] = useState<Phase>("looking");
  const [look, setLook] = useState<Look | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLater, setLater] = useState(plannedTime(post) !== null);
  const [time, setTime] = useState<ChosenTime | null>(null);
  const [done, setDone] = useState<Step["kind"]>("publish");
  const first = useRef<Element | null>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const attempt = useRef<{ readonly step: string; readonly key: string } | null>(null);
  const isUpdate = post?.status === "PUBLISHED";
  const isStale = look !== null && phase === "ready" && !isSame(look.texts, writing.texts.value);

  const take = useCallback(async (): Promise<void> => {
    setPhase("looking");
    setFailure(null);
    try {
      setLook(await lookAtText(studio, writing));
    } catch (error) {
      setFailure(postFailureWords(error));
    }
    setPhase("ready");
  }, [studio, writing]);
  useEffect(() => void take(), [take]);
  // Enter publishes what is shown, as soon as it is: unless the person went to another control meanwhile, or nothing can be published.
  const hasLook = look !== null;
  useEffect(() => {
    if (!hasLook) first.current = document.activeElement;
    else if (document.activeElement === first.current) confirm.current?.focus({ preventScroll: true });
  }, [hasLook]);

  async function send(step: Step): Promise<void> {
    if (look === null) return;
    // The same request, sent again because no answer came, keeps its key.
    const name = JSON.stringify([step, look.settled]);
    if (attempt.current?.step !== name) attempt.current = { step: name, key: crypto.randomUUID() };
    setPhase("sending");
    setFailure(null);
    try {
      await applyText(studio.api, writing, look.settled, step, attempt.current.key);
      setDone(step.kind);
      setPhase("done");
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === "conflict") await take();
      else setPhase("ready");
      setFailure(postFailureWords(error));
    }
  }

  async function undo(): Promise<void> {
    try {
      await changeState(studio.api, writing, "unpublish");
      onClose();
      studio.notify("The post is a draft again.");
    } catch (error) {
      setFailure(postFailureWords(error));
    }
  }

  if (phase === "done")
    return (
      <Dialog title={doneTitle(done, isUpdate)} onClose={onClose}>
        <PublishedView
          post={post}
          detail={doneDetail(post, studio.server.value.timeZone)}
          undo={done === "publish" ? undo : null}
          onClose={onClose}
        />
        {failure !== null && (
          <p class="field-error" role="alert">
            {failure}
          </p>
        )}
      </Dialog>
    );

  const isBlocked = look === null || look.checks.some(({ isBlocking }) => isBlocking) || isStale || phase !== "ready";
  /** A button that is disabled loses the focus, and so does what a failure has to say next. */
  const isWaiting = phase !== "ready";
  const isPast = isLater && time?.isPast === true;
  const step: Step | null =
    !isLater || isPast
      ? { kind: isUpdate ? "apply" : "publish" }
      : time && { kind: "schedule", publishAt: new Date(time.at).toISOString(), zone: time.zone };
  return (
    <Dialog title={isUpdate ? "Update the published post" : "Publish this post"} onClose={onClose}>
      <form
        class="publish"
        aria-busy={phase !== "ready"}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlocked && step !== null) void send(step);
        }}
      >
        {failure !== null && (
          <div class="note danger" role="alert">
            <p>{failure}</p>
          </div>
        )}
        {look === null ? (
          failure === null ? (
            <p class="muted" role="status">
              Waiting until your text is saved.
            </p>
          ) : (
            <button type="button" onClick={() => void take()}>
              Try again
            </button>
          )
        ) : (
          <PublishSummary look={look} studio={studio} writing={writing} />
        )}
        {isStale && (
          <div class="note" role="status">
            <p>The text has changed since this dialog opened.</p>
            <button type="button" onClick={() => void take()}>
              Show the new text
            </button>
          </div>
        )}
        <fieldset class="publish-when">
          <legend>When</legend>
          <label class="choice">
            <input type="radio" name={id} checked={!isLater} onChange={() => setLater(false)} />
            <span>Now</span>
          </label>
          <label class="choice">
            <input type="radio" name={id} checked={isLater} onChange={() => setLater(true)} />
            <span>Later, at a time</span>
          </label>
          {isLater && (
            <ScheduleFields timeZone={studio.server.value.timeZone} post={plannedTime(post)} onChoose={setTime} />
          )}
          {isPast && (
            <p role="status">
              This time has passed. You can {isUpdate ? "update" : "publish"} now, or choose a later time.
            </p>
          )}
        </fieldset>
        <p class="muted">{audienceWords(isLater && !isPast, isUpdate)}</p>
        {isUpdate && post.plannedUpdate != null && (
          <p class="muted">
            This takes the place of the update planned for {goLiveTime(post, studio.server.value.timeZone)}.
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            Keep writing
          </button>
          <button
            ref={confirm}
            type="submit"
            class="primary"
            disabled={isWaiting ? look === null : isBlocked || step === null}
            aria-disabled={isWaiting}
          >
            {phase === "sending" ? "Publishing" : buttonWords(isUpdate, isLater, isPast)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function PublishSummary({
  look,
  studio,
  writing,
}: { readonly look: Look } & Pick<PublishDialogProps, "studio" | "writing">) {
  const { texts, slug, excerpt, wordCount, checks, isSlugTaken } = look;
  const { postUrl } = studio.server.value;
  return (
    <>
      <div class="publish-card">
        <p class="publish-title" dir="auto">
          {texts.title.trim() === "" ? "No title" : texts.title}
        </p>
        <p class="publish-excerpt" dir="auto">
          {excerpt}
        </p>
        <p class="publish-facts muted">
          <span class="publish-address" dir="auto">
            {postUrl === null ? `Address: ${slug}` : addressOf(postUrl, writing.id.value, slug)}
          </span>
          <span>{wordCount === 1 ? "1 word" : `${wordCount.toLocaleString()} words`}</span>
        </p>
      </div>
      {isSlugTaken && texts.slug === null && (
        <p class="muted">Another post has this address, so the server adds a few letters to it.</p>
      )}
      {checks.length > 0 && (
        <ul class="publish-checks" aria-label="Before you publish">
          {checks.map(({ text, isBlocking }) => (
            <li key={text} class={isBlocking ? "danger" : ""}>
              <Icon name="warning" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function buttonWords(isUpdate: boolean, isLater: boolean, isPast: boolean): string {
  const isForLater = isLater && !isPast;
  if (isUpdate) return isForLater ? "Update later" : "Update now";
  if (isForLater) return "Schedule";
  return "Publish now";
}

function doneTitle(done: Step["kind"], isUpdate: boolean): string {
  if (done === "schedule") return isUpdate ? "Update planned" : "Scheduled";
  return isUpdate && done === "apply" ? "Updated" : "Published";
}

function doneDetail(post: PostFacts | null, timeZone: string): string {
  if (post?.plannedUpdate == null) return stateWords(post, timeZone).detail;
  return updateWords(post.plannedUpdate, post.version, timeZone, Date.now()).text;
}
