import { Content, useData } from "vitepress";
import { defineComponent, h, type VNode } from "vue";
import { MARK_LINES } from "../../../src/design/mark.ts";
import type { Entry, Group } from "../site/contents.ts";

/** Facts that config.ts hands to every page. */
export interface ThemeConfig {
  readonly groups: readonly Group[];
  /** Name of the file of the search's script. */
  readonly searchScript: string;
}

/** Headings of a page, as VitePress collects them. */
interface Header {
  readonly title: string;
  readonly slug: string;
  readonly children: readonly Header[];
}

/** Every page: bar, text, headings of the page, contents of the site. In the markup the text comes before both lists. */
export const Layout = defineComponent(() => {
  const { page, theme } = useData<ThemeConfig>();
  return () => {
    const { relativePath } = page.value;
    const root = "../".repeat(relativePath.split("/").length - 1) || "./";
    const headers = (page.value.headers ?? []) as unknown as Header[];
    const order = theme.value.groups.flatMap(({ entries }) => entries);
    const at = order.findIndex(({ path }) => path === relativePath);
    const [before, after] = at === -1 ? [undefined, undefined] : [order[at - 1], order[at + 1]];
    const hasOutline = headers.length > 1;
    return [
      h("a", { class: "skip", href: "#text" }, "Skip to the text"),
      bar(root),
      h("div", { class: "columns" }, [
        h("main", { id: "text", tabindex: "-1", class: { front: relativePath === "index.md" } }, [
          hasOutline
            ? h("details", { class: "outline-narrow" }, [h("summary", "On this page"), outline(headers)])
            : null,
          h("article", { class: "text" }, h(Content)),
          foot(root, relativePath, before, after),
        ]),
        hasOutline
          ? h("nav", { class: "outline", "aria-labelledby": "outline" }, [
              h("h2", { id: "outline" }, "On this page"),
              outline(headers),
            ])
          : h("div", { class: "outline" }),
        contents(root, relativePath, theme.value.groups),
      ]),
      h("script", { type: "module", src: `${root}${theme.value.searchScript}` }),
    ];
  };
});

function bar(root: string): VNode {
  return h("header", { class: "bar" }, [
    h("a", { class: "home", href: `${root}index.html` }, [
      h("svg", { width: 28, height: 28, viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" }, [
        h("rect", { class: "mark-ground", width: 32, height: 32, rx: 9 }),
        h("path", { class: "mark-line", d: MARK_LINES, fill: "none", "stroke-width": 2.5, "stroke-linecap": "round" }),
        h("circle", { class: "mark-dot", cx: 9.5, cy: 16, r: 3.5 }),
      ]),
      h("span", "Content API"),
    ]),
    h("form", { class: "search", role: "search", "data-search": "", hidden: "" }, [
      h("input", {
        ...{ type: "search", placeholder: "Search", "aria-label": "Search the documentation", autocomplete: "off" },
        ...{ spellcheck: "false", enterkeyhint: "search" },
      }),
      h("ul", { hidden: "" }),
      h("p", { role: "status" }),
    ]),
    h("a", { class: "to-contents", href: "#contents" }, "Contents"),
  ]);
}

function outline(headers: readonly Header[]): VNode {
  return h(
    "ul",
    headers.map(({ title, slug, children }) =>
      h("li", [
        h("a", { href: `#${slug}` }, title),
        children.length > 0 && headers.length < 30 ? outline(children) : null,
      ]),
    ),
  );
}

function contents(root: string, current: string, groups: readonly Group[]): VNode {
  return h("nav", { id: "contents", class: "contents", "aria-label": "Contents" }, [
    h("a", { href: `${root}index.html`, "aria-current": current === "index.md" ? "page" : undefined }, "Overview"),
    ...groups.flatMap(({ title, entries }) => [
      h("h2", title),
      h(
        "ul",
        entries.map(({ path, title }) =>
          h("li", h("a", { href: root + htmlOf(path), "aria-current": path === current ? "page" : undefined }, title)),
        ),
      ),
    ]),
  ]);
}

function foot(root: string, current: string, before?: Entry, after?: Entry): VNode {
  const link = (label: string, entry: Entry | undefined) =>
    entry === undefined
      ? null
      : h("a", { href: root + htmlOf(entry.path) }, [h("small", label), h("span", entry.title)]);
  return h("footer", [
    h("nav", { class: "neighbours", "aria-label": "Previous and next page" }, [
      link("Previous", before),
      link("Next", after),
    ]),
    h("p", [
      h("a", { href: root + current }, "This page as Markdown"),
      " · ",
      h("a", { href: `${root}llms.txt` }, "llms.txt"),
      " · ",
      h("a", { href: "#contents", class: "to-contents" }, "Contents"),
    ]),
  ]);
}

function htmlOf(path: string): string {
  return path.replace(/\.md$/, ".html");
}
