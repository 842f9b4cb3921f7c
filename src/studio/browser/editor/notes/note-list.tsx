import { MOST_NOTES } from "../language/notes.ts";
import type { Read } from "../language/reading.ts";
import { lineEnd, lineStart } from "../text/edit.ts";
import type { NoteWalk } from "./note-walk.ts";

interface NoteListProps {
  readonly read: Read;
  readonly walk: NoteWalk;
}

/** More are reached by F8 alone. */
const MOST = 100;
/** Characters of a line that tell it from others. */
const SHOWN = 60;

/** The notes, each a way to its place. */
export function NoteList({ read: { notes, text }, walk }: NoteListProps) {
  if (notes.length === 0) return null;
  return (
    <details class="writing-outline writing-notes" name="writing">
      <summary title="F8">
        {notes.length === 1 ? "1 note" : `${notes.length}${notes.length === MOST_NOTES ? "+" : ""} notes`}
      </summary>
      <nav aria-label="Notes">
        <ul>
          {notes.slice(0, MOST).map((note) => (
            <li key={`${note.from} ${note.kind}`}>
              <button
                type="button"
                class="quiet"
                onClick={(event) => {
                  event.currentTarget.closest("details")?.removeAttribute("open");
                  walk.go(note);
                }}
              >
                {note.sentence}
                <span class="muted" dir="auto">
                  {text.slice(lineStart(text, note.from), lineEnd(text, note.from)).slice(0, SHOWN)}
                </span>
              </button>
            </li>
          ))}
          {notes.length > MOST && <li class="muted">F8 goes to the others.</li>}
        </ul>
      </nav>
    </details>
  );
}
