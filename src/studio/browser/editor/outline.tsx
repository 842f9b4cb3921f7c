import type { Heading } from "./language/reading.ts";

interface OutlineProps {
  readonly headings: readonly Heading[];
  readonly onGo: (place: number) => void;
}

/** The headings of the text, each a way to its place. */
export function Outline({ headings, onGo }: OutlineProps) {
  if (headings.length < 2) return null;
  return (
    <details class="writing-outline" name="writing">
      <summary>Outline</summary>
      <nav aria-label="Outline">
        <ul>
          {headings.map(({ level, text, from }) => (
            <li key={from}>
              <button
                type="button"
                class={`quiet level-${level}`}
                onClick={(event) => {
                  event.currentTarget.closest("details")?.removeAttribute("open");
                  onGo(from);
                }}
              >
                {text === "" ? "Empty heading" : text}
              </button>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}
