/** Scripts that one language or a few have, and letters that only some of them use. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string, only?: RegExp])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, "ja"],
  [/\p{sc=Hangul}/u, "ko"],
  [/\p{sc=Han}/u, "zh-Hans"],
  [/\p{sc=Greek}/u, "el"],
  [/\p{sc=Hebrew}/u, "he"],
  [/\p{sc=Arabic}/u, "fa", /[پچژگ]/],
  [/\p{sc=Arabic}/u, "ar"],
  [/\p{sc=Cyrillic}/u, "uk", /[іїєґ]/i],
  [/\p{sc=Cyrillic}/u, "sr", /[ђћљњџ]/i],
  [/\p{sc=Cyrillic}/u, "ru", /[ыэё]/i],
  [/\p{sc=Cyrillic}/u, "bg"],
  [/\p{sc=Devanagari}/u, "hi"],
  [/\p{sc=Thai}/u, "th"],
  [/\p{sc=Georgian}/u, "ka"],
  [/\p{sc=Armenian}/u, "hy"],
];

/** Short words that every text has, by language. A word that fewer languages have counts for more. */
const WORDS: Readonly<Record<string, string>> = {
  cs: "a že se na je to v s z do jako ale jsou který tak být nebo pro jsem",
  da: "og i at det er en til af på ikke der med for har som et jeg kan efter hvad også",
  de: "und der die das ist nicht ein eine zu den mit von auf für dem sich auch es wie wird",
  en: "the and of to in is that it was for with as on are this be by not have you",
  es: "el la de que y en los las un una es por con no se para del lo como pero más",
  fi: "ja on ei että se oli hän mutta ovat kun niin joka mitä myös kuin tai ole",
  fr: "le la les de et des un une est que pour dans qui pas sur au plus ce avec il vous",
  hu: "a az és hogy nem is egy van volt ez meg csak mint már de ha vagy",
  it: "il la di che e non un una per è sono con del le gli da si come più anche nel",
  nb: "og i at det er en til av på ikke som med for har jeg kan etter hva også et",
  nl: "de het een en van is in dat niet op te zijn voor met die er aan ook maar wordt",
  pl: "i w na nie że się to z jest do jak ale co tak po przez od dla są",
  pt: "o a de que e do da em um uma não para com os as por mais se foi como ao",
  ro: "și în de la că nu este un o care cu pe mai din pentru sunt ce sau",
  sv: "och i att det är en på som för inte med av den till har jag kan ett om efter",
  tr: "ve bir bu için da de ile çok ne var olarak daha gibi değil olan",
};
/** Languages that have a word. */
const HAVING = new Map<string, string[]>();
for (const [language, words] of Object.entries(WORDS))
  for (const word of words.split(" ")) HAVING.set(word, [...(HAVING.get(word) ?? []), language]);

/** Characters that tell enough of a text. */
const ENOUGH = 4_000;
/** Short words that a guess needs, and how far it has to be ahead of the next one. */
const FEWEST = 5;
const AHEAD = 1.15;

/** The language of a text by its script and its short words; null while that is not clear. */
export function guessLanguage(text: string): string | null {
  const start = text.slice(0, ENOUGH);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language, only] of SCRIPTS) {
    const found = start.match(new RegExp(script, "gu"))?.length ?? 0;
    if (found > 10 && found * 3 > letters && (only === undefined || only.test(start))) return language;
  }
  const scores = new Map<string, number>();
  let found = 0;
  for (const word of start.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const languages = HAVING.get(word) ?? [];
    found += Math.sign(languages.length);
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || found < FEWEST || best[1] < (next?.[1] ?? 0) * AHEAD) return null;
  return best[0];
}
