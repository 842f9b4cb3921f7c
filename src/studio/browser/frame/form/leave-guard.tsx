import { useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { Dialog, IsInSight } from "../dialog.tsx";
import { askBeforeLeaving } from "../leaving.ts";

interface LeaveGuardProps {
  /** Names what is lost with the page. */
  readonly of: keyof typeof WORDS;
  /** Called when the person leaves. */
  readonly onLeave?: () => void;
}

const WORDS = {
  secret: {
    title: "Do you have the secret?",
    text: "It cannot be shown again. Without it, you have to make another one.",
    leave: "I have it",
  },
  changes: {
    title: "Leave without saving?",
    text: "What you typed on this page is lost.",
    leave: "Leave",
  },
} as const;

/** Asks before another page of the studio takes the place of this one. A reload is the browser's own question. */
export function LeaveGuard({ of, onLeave }: LeaveGuardProps) {
  const asked = useSignal<{ leave(): void } | null>(null);
  const isInSight = useContext(IsInSight);
  const { title, text, leave } = WORDS[of];
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    // Out of sight, nothing can be asked.
    const end = !isInSight
      ? () => {}
      : askBeforeLeaving((go) => {
          asked.value = { leave: go };
        });
    return () => {
      removeEventListener("beforeunload", ask);
      end();
    };
  }, [asked, isInSight]);
  if (asked.value === null) return null;
  const stay = () => {
    asked.value = null;
  };
  return (
    <Dialog title={title} onClose={stay}>
      <p>{text}</p>
      <div class="dialog-actions">
        <button type="button" onClick={stay}>
          Stay here
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            const go = asked.peek()?.leave;
            stay();
            onLeave?.();
            go?.();
          }}
        >
          {leave}
        </button>
      </div>
    </Dialog>
  );
}
