import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readFailureWords } from "../api/failure-words.ts";
import { PersonIdByEmail } from "../documents/audit.ts";
import type { Studio } from "../ports.ts";

/**
 * Puts the id of a person in place of their e-mail address in a filter of the URL.
 *
 * @param name of the filter
 * @param path of the page, without a query
 * @returns a sentence where that is not possible; null otherwise
 */
export function usePersonFilter(studio: Studio, query: URLSearchParams, name: string, path: string): string | null {
  const problem = useSignal<string | null>(null);
  const text = query.get(name)?.trim() ?? "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says all
  useEffect(() => {
    problem.value = null;
    if (!/.@./.test(text)) return undefined;
    let isLeft = false;
    studio.api.run(PersonIdByEmail, { email: text }).then(
      ({ accountBy }) => {
        if (isLeft) return;
        if (accountBy === null) problem.value = `Nobody here has the e-mail address ${text}.`;
        else {
          const next = new URLSearchParams(query);
          next.set(name, accountBy.id);
          studio.go(`${path}?${next}`, { replace: true });
        }
      },
      (error) => {
        if (!isLeft) problem.value = readFailureWords(error);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [text]);
  return problem.value;
}
