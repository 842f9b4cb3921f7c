import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../../frame/dialog.tsx";
import { loadPart } from "../../frame/document/parts.ts";
import type { Writing } from "../../ports.ts";
import type { CompareView } from "../../publishing/compare/compare-view.tsx";

interface MergedDialogProps {
  readonly writing: Writing;
  readonly onClosed: () => void;
}

type View = { readonly Compare: typeof CompareView } | "missing" | null;

/** Dialog with the changes that were merged into the text (S33). Its comparison is loaded when it opens. */
export function MergedDialog({ writing, onClosed }: MergedDialogProps) {
  const [view, setView] = useState<View>(null);
  const merged = writing.merged.value;
  const isOpen = merged !== null;
  const load = () => {
    setView(null);
    loadPart("publishing/compare/compare-view", () => import("../../publishing/compare/compare-view.tsx")).then(
      ({ CompareView: Compare }) => setView({ Compare }),
      () => setView("missing"),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it opens
  useEffect(() => {
    if (isOpen) load();
  }, [isOpen]);
  if (merged === null) return null;
  return (
    <Dialog
      title={merged.title}
      kind="wide"
      onClose={() => {
        writing.merged.value = null;
        onClosed();
      }}
    >
      <p class="hint">To take them back, undo them in the text.</p>
      {view === "missing" && (
        <p role="status">
          The comparison could not be loaded.{" "}
          <button type="button" onClick={load}>
            Try again
          </button>
        </p>
      )}
      {view !== null && view !== "missing" && (
        <view.Compare
          before={merged.before}
          after={merged.after}
          beforeName="Before the merge"
          afterName="After the merge"
        />
      )}
    </Dialog>
  );
}
