import { Icon } from "../../frame/icon.tsx";
import type { NoteWalk } from "./note-walk.ts";

/** Says the note that the person went to. It is there while it says nothing, so that readers hear of what it says. */
export function NoteLine({ walk }: { readonly walk: NoteWalk }) {
  const said = walk.said.value;
  return (
    <div class={said === null ? "writing-note is-silent" : "writing-note"}>
      <p role="status">{said === null ? "" : said === "none" ? "There are no notes." : sentenceOf(said)}</p>
      {said !== null && (
        <button type="button" class="quiet icon-button" aria-label="Close note" onClick={() => walk.hush()}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function sentenceOf({ note, number, count }: { note: { sentence: string }; number: number; count: number }): string {
  return count === 1 ? note.sentence : `${number} of ${count}: ${note.sentence}`;
}
