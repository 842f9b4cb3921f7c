import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../../frame/dialog.tsx";
import { href } from "../../frame/href.ts";
import type { Studio } from "../../ports.ts";

interface LeaveGuardProps {
  readonly studio: Studio;
  /** Called when the person leaves and has the secret. */
  readonly onLeave: () => void;
}

/** Asks before a secret that is shown once goes out of sight. A reload is the browser's own question. */
export function LeaveGuard({ studio, onLeave }: LeaveGuardProps) {
  const target = useSignal<string | null>(null);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const hold = (event: MouseEvent) => {
      const path = pathOf(event);
      if (path === null) return;
      event.preventDefault(); // the router follows no link that was held
      target.value = path;
    };
    addEventListener("beforeunload", ask);
    document.addEventListener("click", hold, true);
    return () => {
      removeEventListener("beforeunload", ask);
      document.removeEventListener("click", hold, true);
    };
  }, [target]);
  if (target.value === null) return null;
  return (
    <Dialog
      title="Do you have the secret?"
      onClose={() => {
        target.value = null;
      }}
    >
      <p>It cannot be shown again. Without it, you have to add another one.</p>
      <div class="dialog-actions">
        <button
          type="button"
          onClick={() => {
            target.value = null;
          }}
        >
          Stay here
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            const path = target.peek();
            target.value = null;
            onLeave();
            if (path !== null) studio.go(path);
          }}
        >
          I have it
        </button>
      </div>
    </Dialog>
  );
}

/** @returns the page of the studio to which a plain click leads; null for all else */
function pathOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hash !== "") return null;
  const base = href("");
  if (link.origin !== location.origin || !link.pathname.startsWith(`${base}/`)) return null;
  return link.pathname.slice(base.length) + link.search;
}
