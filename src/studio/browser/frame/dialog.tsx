import { type ComponentChildren, createContext } from "preact";
import { useContext, useId, useLayoutEffect, useRef } from "preact/hooks";
import { giveBack } from "./give-back.ts";
import { Icon } from "./icon.tsx";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  /** Called once the dialog is closed, by Esc or by its button. */
  readonly onClose: () => void;
  /** `side` slides over the page from its end, and from below on small screens. */
  readonly kind?: "middle" | "side" | "wide";
  readonly children: ComponentChildren;
}

/** Whether the page around a dialog is in sight. A dialog out of sight is not open: it would make all that is in sight inert. */
export const IsInSight = createContext(true);

/**
 * A modal dialog on the native element: the rest of the page is inert, Esc closes it, and the focus goes back to the element
 * that had it. It is open for as long as it is rendered, in sight. The focus goes to what has `autofocus`, or else to the first control
 * of its body; a dialog at the side keeps it on "Close", so that no screen keyboard comes up.
 */
export function Dialog({ title, onClose, kind = "middle", children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const leave = useRef(() => {});
  const isInSight = useContext(IsInSight);
  const opener = useRef<Element | null>(null);
  const heading = useId();
  // With the rendering, not after the next paint: the keys that follow are for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || !isInSight) return undefined;
    opener.current ??= document.activeElement;
    let isLeft = false;
    leave.current = () => {
      if (isLeft) return;
      isLeft = true;
      // A dialog that was taken away, as by a command that it ran: the focus may already be where the command wants it.
      const isMoved = !dialog.isConnected && (document.activeElement ?? document.body) !== document.body;
      dialog.close();
      if (opener.current instanceof HTMLElement && !isMoved) giveBack(opener.current);
    };
    dialog.showModal();
    if (kind !== "side") focusWithin(dialog);
    return leave.current;
  }, [kind, isInSight]);
  const close = () => {
    leave.current(); // At once, not with the next rendering: the next key may come before that.
    onClose();
  };
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

const CONTROLS = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary";

function focusWithin(dialog: HTMLDialogElement): void {
  const isChosen = document.activeElement?.hasAttribute("autofocus") === true;
  if (!isChosen) dialog.querySelector<HTMLElement>(`.dialog-body :is(${CONTROLS})`)?.focus();
}
