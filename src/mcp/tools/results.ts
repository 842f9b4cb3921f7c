import type { JsonObject, ReadyResult, ToolResult } from "../protocol/service.ts";
import { type Frame, isPlain } from "./frame.ts";

/** Most bytes of a character in a result: in the text as an escaped escape, and once more in the structured content. */
const WIDEST = 20;
/** The same of plain text, and bytes of everything else in a result with a piece of text. */
const [WIDEST_PLAIN, REST] = [4, 12_000];

/** A part of a longer text. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  /** Index at which the next piece begins; null at the end. */
  readonly nextFrom: number | null;
}

interface Text {
  readonly body: string;
}

type Describe<Source> = (source: Source, piece: Piece) => JsonObject;

/** How a result was made, and how its members are made with another frame. */
interface Prepared {
  readonly from: number;
  readonly length: number;
  readonly describe: unknown;
  readonly make: () => string;
}

/** Makes results of tools: the structured content exact, the text with what people wrote in a frame, both within the limit. */
export interface Results {
  /** With nothing that people wrote. */
  plain(structured: JsonObject): ToolResult;
  /** With the entries that fit, from the first one on. @param make makes the content of entries, which may be fewer */
  list<Entry>(entries: readonly Entry[], make: (entries: readonly Entry[]) => JsonObject): ToolResult;
  /**
   * With a piece of a source's text that fits, under the name `text`. A source that comes again is not worked on again.
   *
   * @param describe makes the rest of the content: a function of the source and the piece alone
   */
  piece<Source extends Text>(source: Source, from: number, length: number, describe: Describe<Source>): ReadyResult;
  /** As `piece`, as text alone. */
  framedPiece(text: string, make: (piece: Piece) => JsonObject): string;
}

/** @param limit bytes of one result, as JSON */
export function openResults(frame: Frame, limit: number): Results {
  const preparedPieces = new WeakMap<object, Prepared>();

  function list<Entry>(entries: readonly Entry[], make: (entries: readonly Entry[]) => JsonObject): ToolResult {
    const structuredContent = make(entries);
    const text = JSON.stringify(structuredContent);
    const result: ToolResult = { content: [{ type: "text", text: frame.around(text) }], structuredContent };
    if (entries.length <= 1 || text.length * WIDEST <= limit) return result;
    if (Buffer.byteLength(JSON.stringify(result)) <= limit) return result;
    return list(entries.slice(0, Math.ceil(entries.length * 0.75)), make);
  }

  /** @returns how to make the members of the result */
  function preparePiece<Source extends Text>(
    source: Source,
    from: number,
    length: number,
    describe: Describe<Source>,
  ): () => string {
    // Each character stands there twice. Work on a text that cannot fit would take seconds for a megabyte.
    const cut = cutPiece(source.body, from, Math.min(length, Math.ceil(limit / 2)));
    const rest = describe(source, cut);
    const json = JSON.stringify(rest);
    const framed = frame.prepare(json, cut.text);
    const structured = JSON.stringify({ ...rest, text: cut.text });
    const make = () => `"content":[{"type":"text","text":${framed()}}],"structuredContent":${structured}`;
    const { length: characters } = cut.text;
    if (characters <= 1 || (json.length + characters) * WIDEST <= limit) return make;
    if (characters * WIDEST_PLAIN + REST <= limit && isPlain(cut.text)) return make;
    const size = Buffer.byteLength(make());
    return size <= limit ? make : preparePiece(source, from, shorter(characters, size), describe);
  }

  /** The next length to try for a text that made so many bytes. Small steps would take long where all characters are escaped. */
  const shorter = (length: number, size: number) => Math.floor(length * Math.min(0.75, (0.95 * limit) / size));

  return {
    plain: (structuredContent) => ({
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent,
    }),
    list,
    piece(source, from, length, describe) {
      const known = preparedPieces.get(source);
      if (known?.from === from && known.length === length && known.describe === describe)
        return { members: known.make() };
      const make = preparePiece(source, from, length, describe);
      preparedPieces.set(source, { from, length, describe, make });
      return { members: make() };
    },
    framedPiece: (text, make) => {
      const framed = (length: number): string => {
        const cut = cutPiece(text, 0, length);
        const shown = frame.around(JSON.stringify(make(cut)), cut.text);
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
