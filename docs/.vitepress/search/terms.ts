/* Words of texts and of questions, in the form in which the index compares them. */

/** Words that say nothing about the subject of a question. */
const STOP = new Set(
  "a about after all also am an and any are as at be because before but by can cannot could did do does each else for from get gets give had has have how i if in into is it its may me must my no not of off on one only or other our out over own per set so some than that the their them then there these they this those to up use used uses using was we what when where which who why will with without work works would you your".split(
    " ",
  ),
);

/** Words that people type, and those that the pages use instead. */
const SYNONYMS = new Map(
  Object.entries({
    "2fa": ["second", "step", "authenticator"],
    "429": ["rate", "limit"],
    "503": ["overload"],
    ai: ["agent", "mcp"],
    app: ["client"],
    ban: ["disabled"],
    blocked: ["disabled", "rejected"],
    cli: ["command"],
    complex: ["cost", "limits"],
    cron: ["schedule"],
    delete: ["remove"],
    docker: ["container", "compose", "image"],
    email: ["mail"],
    env: ["settings", "configuration"],
    environment: ["settings", "configuration"],
    forgot: ["lost"],
    forgotten: ["lost"],
    gdpr: ["data", "export", "delete"],
    helm: ["kubernetes"],
    https: ["tls"],
    install: ["deploy"],
    invite: ["invitation"],
    k8s: ["kubernetes"],
    llm: ["agent", "mcp"],
    mfa: ["second", "step", "authenticator"],
    mobile: ["native", "phone"],
    otp: ["authenticator", "second", "step"],
    paginate: ["lists", "page"],
    pagination: ["lists", "page"],
    permission: ["roles", "scopes", "right"],
    phone: ["native", "mobile"],
    postgres: ["postgresql"],
    prometheus: ["metrics"],
    query: ["document"],
    register: ["create"],
    rotate: ["new", "change"],
    smtp: ["mail"],
    spa: ["browser"],
    ssl: ["tls"],
    sso: ["services", "provider", "login"],
    throttle: ["rate", "limits"],
    totp: ["authenticator", "second", "step"],
    undo: ["back", "restore"],
    user: ["people", "person", "account"],
    version: ["upgrade"],
  }).map(([word, others]) => [stem(word), others.map(stem)] as const),
);

/** The words of a text, stemmed, in their order. A name such as `invalid_grant` or `createPost` gives itself and its parts. */
export function wordsOf(text: string): string[] {
  return unstemmed(text).map(stem);
}

function unstemmed(text: string): string[] {
  const words = joinPairs(text).match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu) ?? [];
  return words
    .flatMap((word) => {
      const parts = word.split(/[_-]|(?<=\p{Ll})(?=\p{Lu})/u);
      return (parts.length === 1 ? [word] : [word, ...parts]).map((part) => part.toLowerCase());
    })
    .filter((word) => !STOP.has(word) && (word.length > 1 || /\d/.test(word)));
}

/** Words that people write in one and the pages in two, such as login, sign in, signing in, sign-in. */
function joinPairs(text: string): string {
  return text
    .replaceAll(
      /\b(?:log|sign)(?:g?ing|s|ed)?[ -](in|out|up)\b/gi,
      (_all, direction: string) => `log${direction.toLowerCase()}`,
    )
    .replaceAll(/\b(?:signup|signin|signout)\b/gi, (word) => `log${word.slice(4).toLowerCase()}`)
    .replaceAll(/\b(?:back|backing)[ -]up\b/gi, "backup")
    .replaceAll(/\btwo[ -]factor\b/gi, "2fa")
    .replaceAll(/\bsingle[ -]sign[ -]on\b/gi, "sso")
    .replaceAll(/\be-mail/gi, "mail");
}

/** A word of a question. */
export interface Term {
  readonly word: string;
  /** Words of the pages that mean the same. */
  readonly alternatives: readonly string[];
  /** Names that the word makes with its neighbours, such as `device_code`. */
  readonly names: readonly string[];
}

/** The words to look for. */
export function queryTerms(question: string): Term[] {
  const written = unstemmed(question);
  const names = written.slice(1).map((word, index) => `${written[index]}_${word}`);
  const words = written.map(stem);
  return words.flatMap((word, index) =>
    words.indexOf(word) < index
      ? []
      : [
          {
            word,
            alternatives: (SYNONYMS.get(word) ?? []).filter((other) => other !== word),
            names: [names[index - 1], names[index]].filter((name) => name !== undefined),
          },
        ],
  );
}

/** Endings of English that matter here: plural, -ing, -ed. It need not make words, it must make equal ones of equal meaning. */
export function stem(word: string): string {
  if (word.length < 4 || /[\d_]/.test(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^sui])s$/, "$1");
  if (singular.length > 5)
    return singular
      .replace(/(?:ing|ed)$/, "")
      .replace(/([bdgmnprt])\1$/, "$1")
      .replace(/e$/, "");
  return singular.replace(/e$/, "");
}
