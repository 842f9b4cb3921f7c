import { useEffect } from "preact/hooks";

const OPERATOR = () => document.documentElement.dataset.operator ?? "Studio";

/** Names the page in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${OPERATOR()}`;
  }, [title]);
}
