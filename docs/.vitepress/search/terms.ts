/* Words of texts and of questions, in the form in which the index compares them. */

/** Words that say nothing about the subject of a question. */
const STOP = new Set(
  "a about after all also am an and any are as at be because before but by can cannot could did do does each else for from get gets give had has have how i if in into is it its may me must my no not of off on one only or other our out over own per set so some than that the their them then there these they this those to up use used uses using was we what when where which who why will with without work works would you your".split(
    " ",
  ),
);

/**
 * Words that people type, and those that the pages use instead. An entry with a space stands for the words side by side. Each is
 * in the stemmed form of `wordsOf`.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  "2fa": ["second", "step", "authenticator"],
  "429": ["429", "rate", "limit"],
  "503": ["503", "overload"],
  ai: ["agent", "mcp"],
  ban: ["disable", "people"],
  chatgpt: ["chatgpt", "agent"],
  claude: ["claude", "agent"],
  cli: ["command"],
  cron: ["schedule"],
  delete: ["delete", "deletion", "remove"],
  docker: ["container", "compose", "image"],
  email: ["mail"],
  env: ["setting", "variable"],
  error: ["error", "code"],
  google: ["google", "service"],
  helm: ["kubernetes"],
  invite: ["invitation"],
  k8s: ["kubernetes"],
  llm: ["agent", "mcp"],
  log: ["log", "sign"],
  login: ["sign", "signing"],
  logout: ["sign-out", "sign"],
  mfa: ["second", "step", "authenticator"],
  mobile: ["native", "phone", "app"],
  otp: ["authenticator", "second", "step"],
  pagination: ["list", "page", "cursor"],
  paginate: ["list", "page", "cursor"],
  permission: ["role", "scope", "right"],
  phone: ["native", "phone", "app"],
  postgres: ["postgresql"],
  prometheus: ["metric"],
  recover: ["recover", "restore", "lost"],
  restore: ["restore", "backup", "back"],
  rotate: ["rotate", "change", "new"],
  spa: ["spa", "single", "browser"],
  sso: ["service", "provider", "sign"],
  ssl: ["tls"],
  https: ["tls", "https"],
  throttle: ["rate", "limit"],
  totp: ["authenticator", "second", "step"],
  undo: ["back"],
  websocket: ["websocket", "subscription"],
};

/** Two words that mean one. */
const PAIRS: Readonly<Record<string, string>> = {
  "log in": "login",
  "log out": "logout",
  "sign out": "logout",
  "sign up": "sign-up",
  "two factor": "2fa",
  "e mail": "mail",
  "rate limit": "rate limit",
  "back up": "backup",
  "single sign": "sso",
};

/** The words of a text, stemmed, in their order. A name such as `invalid_grant` or `createPost` gives itself and its parts. */
export function wordsOf(text: string): string[] {
  return (
    joinPairs(text)
      .match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu)
      ?.flatMap((word) => {
        const parts = word.split(/[_-]|(?<=\p{Ll})(?=\p{Lu})/u);
        const whole = word.toLowerCase();
        return parts.length === 1 ? [whole] : [whole, ...parts.map((part) => part.toLowerCase())];
      })
      .filter((word) => !STOP.has(word) && (word.length > 1 || /\d/.test(word)))
      .map(stem) ?? []
  );
}

function joinPairs(text: string): string {
  return text.replaceAll(
    /\b(log|sign|two|e|back|single)[ -](in|out|up|factor|mail|sign)\b/gi,
    (pair, first: string, second: string) => {
      return PAIRS[`${first} ${second}`.toLowerCase()] ?? pair;
    },
  );
}

/** The words to look for: those of the question, and for each the words of the pages that mean the same. */
export function queryTerms(question: string): { readonly word: string; readonly alternatives: readonly string[] }[] {
  return [...new Set(wordsOf(question))].map((word) => ({
    word,
    alternatives: (SYNONYMS[word] ?? []).filter((other) => other !== word),
  }));
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
