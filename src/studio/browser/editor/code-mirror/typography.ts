import { syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

/** Classes for what stands within a line; editor.css has their looks. */
const inline = tagHighlighter([
  { tag: tags.processingInstruction, class: "md-mark" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-strike" },
  { tag: tags.link, class: "md-link" },
  { tag: tags.url, class: "md-url" },
  { tag: tags.string, class: "md-url" },
  { tag: tags.labelName, class: "md-label" },
  { tag: tags.monospace, class: "md-mono" },
  { tag: tags.contentSeparator, class: "md-mark" },
  { tag: tags.escape, class: "md-escape" },
]);

/** Columns of a prefix beyond which a line no longer hangs. */
const WIDEST = 24;
const PREFIX = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;
const prefixMark = Decoration.mark({ class: "md-prefix" });
const lines = new Map<string, Decoration>();

/** Each line finds its own direction from its first letter. Lines of an item hang below its text. */
function lineDecoration(classes: string, hang: number): Decoration {
  const key = `${classes} ${hang}`;
  let decoration = lines.get(key);
  if (decoration === undefined) {
    decoration = Decoration.line(
      hang === 0
        ? { attributes: { dir: "auto" }, class: classes }
        : { attributes: { dir: "auto", style: `--hang: ${hang}` }, class: `${classes} md-hang`.trim() },
    );
    lines.set(key, decoration);
  }
  return decoration;
}

/** Facts about a line from the blocks around it. */
interface LineLook {
  readonly classes: Set<string>;
  isItem: boolean;
}

/** Looks of the lines between two places, by the number of the line. */
function looksOf(state: EditorState, from: number, to: number): Map<number, LineLook> {
  const looks = new Map<number, LineLook>();
  const { doc } = state;
  const each = (start: number, end: number, give: (look: LineLook, isFirst: boolean, isLast: boolean) => void) => {
    const [first, last] = [doc.lineAt(start).number, doc.lineAt(end).number];
    const [shownFirst, shownLast] = [doc.lineAt(Math.max(start, from)).number, doc.lineAt(Math.min(end, to)).number];
    for (let number = shownFirst; number <= shownLast; number++) {
      const look = looks.get(number) ?? { classes: new Set<string>(), isItem: false };
      give(look, number === first, number === last);
      looks.set(number, look);
    }
  };
  syntaxTree(state).iterate({
    from,
    to,
    enter({ name, from: start, to: end }) {
      const [, kind, level] = /^(ATX|Setext)Heading(\d)$/.exec(name) ?? [];
      if (kind !== undefined)
        each(start, end, ({ classes }) => {
          classes.add("md-heading").add(`md-h${level}`);
          if (kind === "ATX") classes.add("md-atx");
        });
      else if (name === "FencedCode" || name === "CodeBlock")
        each(start, end, ({ classes }, isFirst, isLast) => {
          classes.add("md-code");
          if (isFirst) classes.add("md-code-first");
          if (isLast) classes.add("md-code-last");
        });
      else if (name === "Table") each(start, end, ({ classes }) => classes.add("md-table"));
      else if (name === "Blockquote") each(start, end, ({ classes }) => classes.add("md-quote"));
      else if (name === "HorizontalRule") each(start, end, ({ classes }) => classes.add("md-rule"));
      else if (name === "ListItem")
        each(start, end, (look) => {
          look.isItem = true;
        });
      return /^(?:Document|Blockquote|BulletList|OrderedList|ListItem)$/.test(name);
    },
  });
  return looks;
}

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { state } = view;
  let done = 0;
  for (const { from, to } of view.visibleRanges) {
    const looks = looksOf(state, from, to);
    for (let place = from; place <= to; ) {
      const line = state.doc.lineAt(place);
      place = line.to + 1;
      if (line.number <= done) continue;
      done = line.number;
      const look = looks.get(line.number);
      const hangs = look?.isItem === true && !look.classes.has("md-code") && !look.classes.has("md-quote");
      const prefix = hangs ? (PREFIX.exec(line.text.slice(0, WIDEST + 1))?.[0].length ?? 0) : 0;
      const hang = prefix <= WIDEST && !line.text.slice(0, prefix).includes("\t") ? prefix : 0;
      builder.add(line.from, line.from, lineDecoration([...(look?.classes ?? [])].join(" "), hang));
      if (hang > 0) builder.add(line.from, line.from + hang, prefixMark);
    }
  }
  return builder.finish();
}

const lineLooks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged || syntaxTree(update.state) !== syntaxTree(update.startState))
        this.decorations = decorate(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

/** Space for the bars above and below, so that the cursor is never under them. */
const margins = EditorView.scrollMargins.of(() => ({ top: 72, bottom: 72 }));

/** How the text looks: headings large, marks dimmed, code and tables in a fixed width. */
export const typography: Extension = [
  syntaxHighlighting(inline),
  lineLooks,
  margins,
  EditorView.lineWrapping,
  EditorView.perLineTextDirection.of(true),
];
