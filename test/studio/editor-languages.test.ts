import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { guessLanguage } from "../../src/studio/browser/editor/spelling/guess-language.ts";

const TEXTS: Readonly<Record<string, string>> = {
  cs: "Volavka stojí v mělké vodě a čeká, až se ryba přiblíží. Je to velmi trpělivý pták, který loví na jezerech i u řek.",
  da: "Hejren står stille i vandet og venter på fisk. Det er en stor fugl, der også kan ses efter høsten, og af og til i byen.",
  de: "Der Graureiher steht im flachen Wasser und wartet auf Fische. Er ist ein geduldiger Vogel, der auch an Flüssen lebt.",
  en: "The grey heron stands in shallow water and waits for fish. It is a patient bird that lives near rivers and lakes.",
  es: "La garza real espera en el agua poco profunda a que se acerquen los peces. Es un ave paciente que vive en los ríos.",
  fi: "Harmaahaikara seisoo matalassa vedessä ja odottaa kalaa. Se on kärsivällinen lintu, joka elää järvillä ja joilla, mutta myös meren rannalla, kun ei ole jäätä.",
  fr: "Le héron cendré se tient dans les eaux peu profondes et attend les poissons. C'est un oiseau patient qui vit sur le bord des rivières.",
  hu: "A szürke gém a sekély vízben áll, és arra vár, hogy a halak közelebb jöjjenek. Ez egy türelmes madár, és nem csak a folyók mellett él.",
  it: "L'airone cenerino sta nell'acqua bassa e aspetta i pesci. È un uccello paziente che non si muove, e vive anche nel nord del paese con la sua famiglia.",
  nb: "Hegren står stille i vannet og venter på fisk. Det er en stor fugl som også kan ses etter høsten, og av og til i byen, og den har ikke hast.",
  nl: "De blauwe reiger staat in het ondiepe water en wacht op vissen. Het is een geduldige vogel die ook aan de rivier leeft, maar niet in de stad.",
  pl: "Czapla siwa stoi w płytkiej wodzie i czeka na ryby. Jest to cierpliwy ptak, co nie lubi się śpieszyć, ale poluje tak od rana do nocy.",
  pt: "A garça-real fica na água rasa e espera que os peixes se aproximem. É uma ave paciente que não se move, mas vive com o seu bando no norte do país.",
  ro: "Stârcul cenușiu stă în apă mică și așteaptă peștii. Este o pasăre răbdătoare care nu se mișcă, dar și mai mult din ce vede prinde cu ciocul.",
  sv: "Hägern står stilla i vattnet och väntar på fisk. Det är en stor fågel som inte har bråttom, och den kan ses av den som väntar efter hösten.",
  tr: "Gri balıkçıl sığ suda durur ve balık bekler. Bu çok sabırlı bir kuş olarak bilinir, ama acele de etmez; bir göl için daha ne gerekir ki.",
  ar: "يقف مالك الحزين في المياه الضحلة وينتظر الأسماك",
  bg: "Сивата чапла стои в плитката вода и чака рибата да се приближи",
  el: "Ο ερωδιός στέκεται στα ρηχά νερά και περιμένει τα ψάρια",
  fa: "حواصیل خاکستری در آب کم‌عمق می‌ایستد و منتظر ماهی است، پرنده‌ای بزرگ",
  he: "האנפה עומדת במים הרדודים ומחכה לדגים",
  hi: "बगुला उथले पानी में खड़ा होकर मछली की प्रतीक्षा करता है",
  ja: "アオサギは浅い水の中に立って、魚を待っています。",
  ko: "왜가리는 얕은 물에 서서 물고기를 기다립니다.",
  ru: "Серая цапля стоит на мелководье и ждёт рыбу, это терпеливые птицы",
  th: "นกกระสานวลยืนอยู่ในน้ำตื้นและรอปลา",
  uk: "Сіра чапля стоїть на мілководді й чекає на рибу, це терплячі птахи",
  "zh-Hans": "苍鹭站在浅水中，等待鱼儿靠近，它是一种有耐心的鸟。",
};

describe("S29 the language of a text", () => {
  for (const [language, text] of Object.entries(TEXTS))
    test(`S29 ${language} is found`, () => {
      assert.equal(guessLanguage(text), language);
      assert.equal(
        guessLanguage(`## ${text}\n\n- [${text}](https://the.example/and/of)\n`),
        language,
        "in Markdown too",
      );
    });

  test("S29 a short text, code and a mixture have none", () => {
    for (const text of ["", "Herons", "42", "const x = a.b(c); // ok", `${TEXTS.de} ${TEXTS.en}`])
      assert.equal(guessLanguage(text), null, text);
  });
});
