import type { Command } from "./commands.ts";
import type { Edit, Selection } from "./edit.ts";

/** Events of a surface, for the page. */
export interface SurfaceHost {
  /** The person changed the text. It has its own line endings. */
  change(text: string): void;
  /** An input method began or ended composing. */
  compose(isComposing: boolean): void;
  /** Whether the page takes care of the paste. */
  paste(event: ClipboardEvent): boolean;
  /** Whether the page takes care of the drop. */
  drop(event: DragEvent): boolean;
  /** The person pressed the mark of a line with notes. */
  note(from: number, to: number): void;
}

/** Selection and scroll position, kept when one surface follows another. */
interface Place {
  readonly selection: Selection;
  readonly hasFocus: boolean;
}

/** A sentence about the line of a place. */
export interface LineNote {
  readonly from: number;
  readonly sentence: string;
}

/** A way of writing the body. Places count in the text with LF alone. */
export interface Surface {
  /** The element that people write in. */
  readonly field: HTMLElement;
  /** With its own line endings. */
  text(): string;
  place(): Place;
  focus(at?: "start" | "end" | number): void;
  /** Does what a button or a key asks for, as one undo step. */
  run(command: Command): void;
  /** Puts text in place of the selection, as one undo step. @returns the edit */
  insert(text: string): Edit;
  /** Takes over a text that came from elsewhere, as one undo step, without moving selection, scroll or focus. */
  replace(text: string): void;
  undo(): void;
  redo(): void;
  /** Marks lines with notes, where the surface has a margin for that. `text` has LF alone. */
  showNotes?(read: { readonly text: string; readonly notes: readonly LineNote[] }): void;
  setReadOnly(isReadOnly: boolean): void;
  close(): void;
}

/** Content with which a surface begins. */
export interface SurfaceStart {
  /** With its own line endings. */
  readonly text: string;
  /** Text when the page was opened, if the person changed it before this surface came: undo goes back to it. */
  readonly earlier?: string;
  readonly place?: Place;
  readonly isReadOnly: boolean;
}
