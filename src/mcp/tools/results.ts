import type { JsonObject, ToolResult } from "../protocol/service.ts";
import { type Frame, isPlain } from "./frame.ts";

/** Bytes of a character in a result at the most: in the text as an escaped escape, and once more in the structured content. */
const WIDEST = 20;
/** The same of plain text, and bytes of everything else in a result with a piece of text. */
const [WIDEST_PLAIN, REST] = [4, 12_000];

/** A part of a longer text. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  /** Where the next piece begins; null at the end. */
  readonly nextFrom: number | null;
}

/** Makes results of tools: the structured content exact, the text with what people wrote in a frame, both within the limit. */
export interface Results {
  /** With nothing that people wrote. */
  plain(structured: JsonObject): ToolResult;
  /** With the entries that fit, from the first one on. @param make makes the content of entries, which may be fewer */
  list<Entry>(entries: readonly Entry[], make: (entries: readonly Entry[]) => JsonObject): ToolResult;
  /** With a piece of a long text that fits, under the name `text`. @param make makes the rest of the content */
  piece(text: string, from: number, length: number, make: (piece: Piece) => JsonObject): ToolResult;
  /** As `piece`, as text alone. */
  framedPiece(text: string, make: (piece: Piece) => JsonObject): string;
}

/** @param limit bytes of one result, as JSON */
export function openResults(frame: Frame, limit: number): Results {
  function list<Entry>(entries: readonly Entry[], make: (entries: readonly Entry[]) => JsonObject): ToolResult {
    const structuredContent = make(entries);
    const text = JSON.stringify(structuredContent);
    const result: ToolResult = { content: [{ type: "text", text: frame(text) }], structuredContent };
    if (entries.length <= 1 || text.length * WIDEST <= limit) return result;
    if (Buffer.byteLength(JSON.stringify(result)) <= limit) return result;
    return list(entries.slice(0, Math.ceil(entries.length * 0.75)), make);
  }

  function piece(text: string, from: number, length: number, make: (piece: Piece) => JsonObject): ToolResult {
    // Each character stands there twice. Work on a text that cannot fit would take seconds for a megabyte.
    const cut = cutPiece(text, from, Math.min(length, Math.ceil(limit / 2)));
    const rest = make(cut);
    const json = JSON.stringify(rest);
    const result: ToolResult = {
      content: [{ type: "text", text: frame(json, cut.text) }],
      structuredContent: { ...rest, text: cut.text },
    };
    const { length: characters } = cut.text;
    if (characters <= 1 || (json.length + characters) * WIDEST <= limit) return result;
    if (characters * WIDEST_PLAIN + REST <= limit && isPlain(cut.text)) return result;
    const size = Buffer.byteLength(JSON.stringify(result));
    return size <= limit ? result : piece(text, from, shorter(characters, size), make);
  }

  /** The next length to try for a text that made so many bytes. Small steps would take long where all characters are escaped. */
  const shorter = (length: number, size: number) => Math.floor(length * Math.min(0.75, (0.95 * limit) / size));

  return {
    plain: (structuredContent) => ({
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    }),
    list,
    piece,
    framedPiece: (text, make) => {
      const framed = (length: number): string => {
        const cut = cutPiece(text, 0, length);
        const shown = frame(JSON.stringify(make(cut)), cut.text);
        const size = Buffer.byteLength(JSON.stringify(shown));
        return cut.text.length <= 1 || size <= limit ? shown : framed(shorter(cut.text.length, size));
      };
      return framed(limit);
    },
  };
}

/** Cuts between two characters, so that no part of one is lost. */
export function cutPiece(text: string, from: number, length: number): Piece {
  const start = beginningOfCharacter(text, Math.min(from, text.length));
  let end = beginningOfCharacter(text, Math.min(text.length, start + length));
  if (end <= start && start < text.length) end = start + ((text.codePointAt(start) as number) > 0xffff ? 2 : 1);
  return { text: text.slice(start, end), from: start, nextFrom: end < text.length ? end : null };
}

function beginningOfCharacter(text: string, at: number): number {
  const isWithin = at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isWithin ? at - 1 : at;
}
