import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DraftError } from "./form/client-draft.ts";

/** @returns for the form: its first wrong field gets the focus with each error */
export function useFocusOnError(error: DraftError | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
