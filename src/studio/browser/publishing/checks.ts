/** Something that a person may want to mend before publishing. */
export interface Check {
  readonly isBlocking: boolean;
  readonly text: string;
}

/** Ends of sentences about pictures, here and in the notes beside the text. */
export const NO_ALTERNATIVE_TEXT = {
  one: "has no alternative text. Screen readers cannot describe it.",
  many: "have no alternative text. Screen readers cannot describe them.",
};
/** The reason why a link or a picture is left out: `isLinkedAddress` in other words. */
export const ONLY_LINKED = "only http, https and mailto addresses may be linked";

/** A link whose address the renderer does not accept: it stays as text, such as `[here](javascript:…)`. */
const LEFT_AS_TEXT = /\[[^\]\n]*\]\(\s*(?:javascript|vbscript|file|data):/gi;

/**
 * Looks at what will be published: at the HTML as the server rendered it, because that is what readers get.
 *
 * @param html `bodyHtml`
 */
export function checksOf({
  title,
  body,
  html,
}: {
  readonly title: string;
  readonly body: string;
  readonly html: string;
}): readonly Check[] {
  const found: Check[] = [];
  if (title.trim() === "") found.push({ isBlocking: true, text: "The title is empty. Give the post a title first." });
  if (body.trim() === "") found.push({ isBlocking: false, text: "The text is empty." });
  const pictures = html.match(/<img\b[^>]*>/g) ?? [];
  const silent = pictures.filter((tag) => !/\balt="[^"]*[^"\s][^"]*"/.test(tag)).length;
  const { one, many } = NO_ALTERNATIVE_TEXT;
  if (silent > 0)
    found.push({ isBlocking: false, text: silent === 1 ? `One picture ${one}` : `${silent} pictures ${many}` });
  const missing = pictures.filter((tag) => !/\bsrc="/.test(tag)).length;
  if (missing > 0)
    found.push({
      isBlocking: false,
      text: `${missing === 1 ? "One picture is" : `${missing} pictures are`} left out, because ${ONLY_LINKED}.`,
    });
  const links = droppedLinks(html);
  if (links > 0)
    found.push({
      isBlocking: false,
      text: `${links === 1 ? "One link is" : `${links} links are`} left out, because ${ONLY_LINKED}.`,
    });
  return found;
}

function droppedLinks(html: string): number {
  const withoutAddress = (html.match(/<a\b[^>]*>/g) ?? []).filter((tag) => !/\bhref="/.test(tag)).length;
  const text = html.replace(/<(pre|code)\b[^>]*>[\s\S]*?<\/\1>/g, "");
  return withoutAddress + (text.match(LEFT_AS_TEXT)?.length ?? 0);
}
