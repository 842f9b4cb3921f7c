import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { postFailureWords, readFailureWords } from "../../api/failure-words.ts";
import { openLatest } from "../../api/latest.ts";
import { Rendered } from "../../documents/publishing.ts";
import { styleNonce } from "../../frame/document/nonce.ts";
import { trustedHtml } from "../../frame/document/trusted-html.ts";
import { ApiFailure, type Studio, type Writing } from "../../ports.ts";
import { frameBody, frameDocument, frameStyle } from "./frame-document.ts";
import { followScroll, type Scrolled } from "./scroll-following.ts";
import "./preview.css";

interface PreviewPaneProps {
  readonly studio: Studio;
  readonly writing: Writing;
  /** Language of the text, a BCP 47 tag. */
  readonly language: ReadonlySignal<string>;
}

interface Question {
  readonly title: string;
  readonly body: string;
}

/** Milliseconds after the last key. */
const WAIT = 300;

/** The text as the server renders it for readers. */
export function PreviewPane({ studio, writing, language }: PreviewPaneProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isOnline = studio.isOnline.value;

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scroll = followScroll(element);
    let asked: Question | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const latest = openLatest<Question, string>({
      wait: WAIT,
      run: async ({ body }, signal) =>
        (await studio.api.run(Rendered, { markdown: body }, { signal })).renderMarkdown.bodyHtml,
      show: (html, { title }) => {
        setFailure(null);
        draw(element, frameBody(title, html), language.peek(), scroll);
      },
      fail: (error, question) => {
        setFailure(
          error instanceof ApiFailure && error.kind === "offline" ? null : readFailureWords(error, postFailureWords),
        );
        const wait = error instanceof ApiFailure && error.kind === "busy" ? (error.retryAfter ?? 5) : null;
        if (wait !== null) retry = setTimeout(() => latest.ask(question), wait * 1_000);
      },
    });
    const end = effect(() => {
      const { title, body } = writing.texts.value;
      const online = studio.isOnline.value;
      if (!online || (asked?.title === title && asked.body === body && element.dataset.state === "shown")) return;
      asked = { title, body };
      clearTimeout(retry);
      latest.ask(asked);
    });
    const stopNaming = effect(() => {
      const inner = element.dataset.state === "shown" ? element.contentDocument : null;
      const lang = language.value;
      if (inner !== null) inner.documentElement.lang = lang;
    });
    return () => {
      end();
      stopNaming();
      clearTimeout(retry);
      latest.close();
      scroll.close();
    };
  }, [studio, writing, language]);

  return (
    <div class="preview">
      {!isOnline && (
        <p class="note" role="status">
          You are offline. The preview needs the server, and goes on when you are online again.
        </p>
      )}
      {failure !== null && (
        <p class="note danger" role="alert">
          {failure}
        </p>
      )}
      <iframe ref={frame} title="The post as readers see it" sandbox="allow-same-origin" />
    </div>
  );
}

/** The first text makes the document. Later ones replace its body, so that nothing flickers or jumps. */
function draw(frame: HTMLIFrameElement, body: string, language: string, scroll: Scrolled): void {
  const inner = frame.contentDocument;
  if (frame.dataset.state === "shown" && inner !== null) {
    inner.body.innerHTML = trustedHtml(body);
    scroll.restore();
    return;
  }
  const { colorScheme } = getComputedStyle(document.documentElement);
  const styles = getComputedStyle(document.documentElement);
  const style = frameStyle((name) => styles.getPropertyValue(name), colorScheme);
  frame.addEventListener(
    "load",
    () => {
      frame.dataset.state = "shown";
      scroll.restore();
    },
    { once: true },
  );
  frame.srcdoc = trustedHtml(frameDocument(style, styleNonce(), language, body));
}
