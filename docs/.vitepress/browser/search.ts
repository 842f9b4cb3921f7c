import { openSearch, type Result, type SearchIndex } from "../search/query.ts";

/* The search field of each page. Without this script there is none. */

const form = document.querySelector<HTMLFormElement>("[data-search]");
const field = form?.querySelector("input");
const list = form?.querySelector("ul");
const status = form?.querySelector<HTMLElement>("[role=status]");

/** The index is fetched when somebody first needs it. */
let opening: Promise<(question: string) => Result[]> | undefined;
const root = new URL(".", import.meta.url);

async function open(): Promise<(question: string) => Result[]> {
  const answer = await fetch(new URL("search.json", root));
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  return openSearch((await answer.json()) as SearchIndex);
}

if (form && field && list && status) {
  let chosen = -1;
  const links = () => [...list.querySelectorAll("a")];

  const choose = (index: number) => {
    const all = links();
    chosen = all.length === 0 ? -1 : (index + all.length) % all.length;
    for (const [position, link] of all.entries()) link.toggleAttribute("data-chosen", position === chosen);
    const link = all[chosen];
    link?.scrollIntoView({ block: "nearest" });
  };

  const close = () => {
    list.hidden = true;
    chosen = -1;
  };

  const show = async () => {
    const question = field.value.trim();
    if (question === "") return close();
    let results: Result[];
    try {
      opening ??= open();
      results = (await opening)(question);
    } catch {
      opening = undefined;
      status.textContent = "The search cannot be loaded.";
      return;
    }
    if (question !== field.value.trim()) return; // Somebody types on.
    list.replaceChildren(...results.map(itemOf));
    list.hidden = results.length === 0;
    status.textContent = results.length === 0 ? "Nothing found" : `${results.length} results`;
    form.toggleAttribute("data-empty", results.length === 0);
    choose(0);
  };

  form.hidden = false;
  field.addEventListener("input", () => void show());
  field.addEventListener("focus", () => void show());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      close();
      field.select();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void show().then(() => links()[Math.max(chosen, 0)]?.click());
  });
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) close();
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      return;
    event.preventDefault();
    field.focus();
  });
}

function itemOf({ url, page, heading }: Result): HTMLElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = new URL(url, root).href;
  const strong = document.createElement("strong");
  strong.textContent = heading;
  const small = document.createElement("span");
  small.textContent = page === heading ? "" : page;
  link.append(strong, small);
  item.append(link);
  return item;
}
