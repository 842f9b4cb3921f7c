import { useEffect, useRef } from "preact/hooks";
import { Field } from "../form/field.tsx";
import "./list.css";

/** Milliseconds after the last key before the list follows what was typed. */
const TYPING = 300;

interface FilterField {
  /** Its name in the query of the URL. */
  readonly name: string;
  readonly label: string;
  /** Values and words of a choice, the one for everything first, with an empty value. Without them it is a text field. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly type?: "search" | "datetime-local";
  readonly placeholder?: string;
}

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly query: URLSearchParams;
  /** Path of the page, without a query. */
  readonly path: string;
  /** Goes to a path in place of the present one. */
  readonly go: (path: string) => void;
}

/** Filters of a list. They stand in the URL, so that a link or Back shows the same rows. */
export function FilterBar({ fields, query, path, go }: FilterBarProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const typed = useRef(new Map<string, string>()); // not yet in the query
  const latest = useRef(query);
  latest.current = query;
  useEffect(() => () => clearTimeout(timer.current), []);
  function set(...changes: readonly (readonly [name: string, value: string])[]): void {
    const next = new URLSearchParams(latest.current);
    for (const [name, value] of changes)
      if (value === "") next.delete(name);
      else next.set(name, value);
    latest.current = next;
    go(next.size === 0 ? path : `${path}?${next}`);
  }
  return (
    <search class="filter-bar">
      {fields.map(({ name, label, options, type = "search", placeholder }) => (
        <Field key={name} label={label}>
          {(given) =>
            options !== undefined ? (
              <select
                {...given}
                value={query.get(name) ?? ""}
                onChange={({ currentTarget }) => set([name, currentTarget.value])}
              >
                {options.map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            ) : (
              <input
                {...given}
                {...(type === "search" ? { type } : { type })}
                placeholder={placeholder}
                value={typed.current.get(name) ?? query.get(name) ?? ""}
                onInput={({ currentTarget: { value } }) => {
                  typed.current.set(name, value);
                  clearTimeout(timer.current);
                  timer.current = setTimeout(() => {
                    const all = [...typed.current];
                    typed.current.clear();
                    set(...all);
                  }, TYPING);
                }}
              />
            )
          }
        </Field>
      ))}
    </search>
  );
}
