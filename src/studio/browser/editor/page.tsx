import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useTitle } from "../frame/document/title.ts";
import { ApiFailure, type Studio, type Writing } from "../ports.ts";
import { openWriting } from "../saving/open-writing.ts";
import { WritingPage } from "./writing-page.tsx";
import "./editor.css";

interface EditorPageProps {
  readonly studio: Studio;
  /** null for a new post. */
  readonly id: string | null;
}

type Opening =
  | { readonly kind: "open"; readonly writing: Writing; readonly number: number }
  | { readonly kind: "failed"; readonly failure: unknown }
  | null;

const NEW = /\/posts\/new$/;

/** The page where a post is written, at `/posts/new` and `/posts/ID`. */
export default function EditorPage({ studio, id }: EditorPageProps) {
  const [opening, setOpening] = useState<Opening>(null);
  /** The post that is open, and how many were asked for: an answer that comes after another question is not wanted. */
  const now = useRef<{ writing: Writing | null; asked: number }>({ writing: null, asked: 0 });

  const open = useCallback(() => {
    // A new post that got its id is the post that is open.
    if (id !== null && now.current.writing?.id.peek() === id) return;
    const number = ++now.current.asked;
    void now.current.writing?.close();
    now.current.writing = null;
    setOpening(null);
    openWriting(studio, id).then(
      (writing) => {
        if (number !== now.current.asked) return void writing.close();
        now.current.writing = writing;
        setOpening({ kind: "open", writing, number });
      },
      (failure: unknown) => {
        if (number === now.current.asked) setOpening({ kind: "failed", failure });
      },
    );
  }, [studio, id]);
  useEffect(open, [open]);
  useEffect(
    () => () => {
      now.current.asked++;
      void now.current.writing?.close();
    },
    [],
  );
  const writing = opening?.kind === "open" ? opening.writing : null;
  useEffect(
    () =>
      writing?.id.subscribe((known) => {
        // The page stays as it is, and whoever writes goes on: only the address becomes the post's.
        if (known === null || !NEW.test(location.pathname)) return;
        history.replaceState(history.state, "", location.pathname.replace(NEW, `/posts/${known}`));
      }),
    [writing],
  );
  // "New post" is the address that this page was opened with.
  useEffect(() => {
    if (id === null && NEW.test(location.pathname) && now.current.writing?.id.peek() != null) open();
  });

  if (opening === null) return <p class="writing-opening">Opening the post</p>;
  if (opening.kind === "failed") return <Unopened failure={opening.failure} studio={studio} onRetry={open} />;
  return <WritingPage key={opening.number} studio={studio} writing={opening.writing} />;
}

interface UnopenedProps {
  readonly failure: unknown;
  readonly studio: Studio;
  readonly onRetry: () => void;
}

function Unopened({ failure, studio, onRetry }: UnopenedProps) {
  const isMissing = failure instanceof ApiFailure && (failure.kind === "not-found" || failure.kind === "forbidden");
  const title = isMissing ? "There is no such post" : "The post could not be opened";
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="empty writing-unopened">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>
        {isMissing
          ? "Somebody may have deleted it, or you may not change it."
          : failure instanceof ApiFailure
            ? failure.message
            : "Something went wrong in this browser."}
      </p>
      <p class="writing-ways">
        {!isMissing && (
          <button type="button" class="primary" onClick={onRetry}>
            Try again
          </button>
        )}
        <button type="button" onClick={() => studio.go("/")}>
          All posts
        </button>
      </p>
    </div>
  );
}
