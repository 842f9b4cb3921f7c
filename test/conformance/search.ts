import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import { searchWords } from "../../src/domain/reading/search.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

/** A text, what it is found by, and what it is not found by. */
interface Sample {
  readonly text: string;
  readonly found: readonly string[];
  readonly lost?: readonly string[];
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  Latin: { text: "Ça va, Łódź? Straße İzmir ÆON", found: ["ça", "CA", "lodz", "Łódź", "strasse", "izmir", "aeon"] },
  Vietnamese: { text: "Tiếng Việt", found: ["Tiếng", "tieng", "viet", "Vie\u0302\u0323t"], lost: ["vie"] },
  Greek: { text: "ΟΔΟΣ Ελλάδα", found: ["οδος", "ΟΔΟΣ", "Ελλαδα"] },
  Cyrillic: { text: "мой ёлка Україна", found: ["мой", "мои", "елка", "Ёлка", "УКРАЇНА", "украіна"], lost: ["мо"] },
  Armenian: { text: "Հայերեն լեզու", found: ["Հայերեն", "հայերեն", "լեզու"] },
  Georgian: { text: "ქართული ენა", found: ["ქართული", "ᲥᲐᲠᲗᲣᲚᲘ"] },
  Hebrew: { text: "שָׁלוֹם עולם", found: ["שָׁלוֹם", "שלום", "עולם"] },
  Arabic: { text: "كِتَابٌ مـــرحبا أحمد", found: ["كتاب", "كِتَابٌ", "مرحبا", "احمد"] },
  Persian: { text: "می\u200cخواهم", found: ["می\u200cخواهم", "میخواهم"] },
  Syriac: { text: "ܫܠܳܡܳܐ", found: ["ܫܠܡܐ", "ܫܠܳܡܳܐ"] },
  Devanagari: { text: "हिन्दी की भाषा", found: ["हिन्दी", "की", "भाषा"], lost: ["हि"] },
  Bengali: { text: "বাংলা ভাষা", found: ["বাংলা", "ভাষা"] },
  Tamil: { text: "தமிழ் மொழி", found: ["தமிழ்", "மொழி"] },
  Telugu: { text: "తెలుగు భాష", found: ["తెలుగు"] },
  Malayalam: { text: "മലയാളം", found: ["മലയാളം"] },
  Sinhala: { text: "සිංහල ශ්\u200dරී", found: ["සිංහල", "ශ්\u200dරී"] },
  Thai: { text: "ผมรักภาษาไทยมาก", found: ["ภาษา", "ภาษาไทย", "ไทย", "ก"], lost: ["จีน"] },
  Lao: { text: "ຂ້ອຍຮັກພາສາລາວ", found: ["ພາສາ", "ລາວ"] },
  Khmer: { text: "ខ្ញុំនិយាយភាសាខ្មែរ", found: ["ភាសា", "ខ្មែរ"] },
  Burmese: { text: "ကျွန်တော်မြန်မာစကားပြောတယ်", found: ["မြန်မာ"] },
  Tibetan: { text: "བོད་སྐད་", found: ["བོད", "བོད་སྐད"] },
  Ethiopic: { text: "ሰላም፡ለዓለም", found: ["ሰላም", "ለዓለም"] },
  Cherokee: { text: "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", found: ["ᏣᎳᎩ", "ꮳꮃꭹ"] },
  Mongolian: { text: "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ", found: ["ᠮᠣᠩᠭᠣᠯ"] },
  Korean: {
    text: "한국어를 배웁니다",
    found: ["한국어", "한국어를", "국어", "배", "한국어".normalize("NFD")],
    lost: ["중국"],
  },
  Japanese: {
    text: "昨日、東京都でガギグを食べた",
    found: ["東京", "東京都", "都", "ガギ", "ｶﾞｷﾞ", "食べた"],
    lost: ["カキ"],
  },
  Chinese: { text: "我喜欢北京烤鸭。", found: ["北京", "烤鸭", "我", "鸭"], lost: ["上海"] },
  "rare Han": { text: "𠮷野家で", found: ["𠮷野家", "𠮷"], lost: ["吉"] },
  Adlam: { text: "𞤀𞤣𞤤𞤢𞤥", found: ["𞤀𞤣𞤤𞤢𞤥", "𞤢𞤣𞤤𞤢𞤥"] },
  "mixed scripts": { text: "iPhone用ケース2024年版", found: ["iphone", "ケース", "2024", "年版"] },
  numbers: { text: "1,234.56 ٣٤٥ ४५ ½ 10²", found: ["1,234.56", "٣٤٥", "४५", "102"] },
  program: { text: "We moved to node.js v2.0.1.", found: ["node.js", "node", "js", "v2.0.1", "v2", "Node.JS"] },
  addresses: {
    text: "Mail <user@example.com>, see https://www.example.org/a_b/c-d?e=f#g and 2001:db8::1, 192.0.2.7.",
    found: [
      "user@example.com",
      "user",
      "example.com",
      "https://www.example.org/a_b/c-d",
      "a_b",
      "c-d",
      "2001:db8::1",
      "192.0.2.7",
    ],
    lost: ["user@example.net"],
  },
  HTML: {
    text: "<script>var hidden = 1</script> behind <b>bold</b>face <!-- commented --> <a href='x'>link</a> R&amp;D <p",
    found: ["hidden", "behind", "bold", "face", "commented", "link", "script", "R&amp;D"],
  },
  invisible: {
    text: "soft\u00adhyphen zero\u200bwidth \ufeffmark",
    found: ["softhyphen", "zero", "width", "mark", "soft\u00adhyphen"],
  },
  "wide letters": { text: "ＡＢＣ ﬁne ①", found: ["abc", "fine", "FINE", "1"] },
  syntax: {
    text: 'AND NOT near:x {y} ^z "quoted" it\'s a&b',
    found: ["AND", "not", "NEAR", "x", "y", "z", '"quoted"', "it's", "a&b", "qu*"],
  },
};

export function searchConforms(open: OpenFresh): void {
  describe("search", () => {
    test("I13 a word of any script is found as it stands and without accents, in titles before bodies", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        for (const other of ["Entirely different", "别的东西 другое"])
          await store.posts.create({ authorId, title: other, body: other });
        for (const [name, { text, found, lost = [] }] of Object.entries(SAMPLES)) {
          const inTitle = await store.posts.create({ authorId, title: text, body: text });
          const inBody = await store.posts.create({ authorId, title: "zzz", body: `yyy\n${text} xxx` });
          for (const words of [...found, text])
            assert.deepEqual(await search(store, words), [inTitle, inBody], `${name}: ${words}`);
          for (const words of lost) assert.deepEqual(await search(store, words), [], `${name}: ${words}`);
          for (const id of [inBody, inTitle]) await store.posts.edit(id, () => ({ event: "post.deleted" }));
        }
      }));

    test("I13 what changes is found by its new words alone, whichever of title and body changes", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const id = await store.posts.create({ authorId, title: "早い title", body: "first мой" });
        const change = (texts: { title?: string; body?: string }) =>
          store.posts.edit(id, () => ({ event: "post.updated", ...texts }));
        await change({ title: "second" });
        assert.deepEqual(await search(store, "second мой"), [id]);
        assert.deepEqual(await search(store, "早い"), []);
        await change({ body: "third" });
        assert.deepEqual(await search(store, "second third"), [id]);
        assert.deepEqual(await search(store, "first"), []);
        await change({ title: "fourth", body: "fifth" });
        assert.deepEqual(await search(store, "fourth fifth"), [id]);
        assert.deepEqual(await search(store, "second"), []);
        await store.posts.edit(id, () => ({ event: "post.deleted" }));
        assert.deepEqual(await search(store, "fourth"), []);
      }));

    test("I13 I19 a body of a mebibyte of characters, all words different, is found by its first and last", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        let body = "";
        for (let i = 0; body.length < 1_048_500; i++) body += `слово${i.toString(36)}ж `;
        body += "последнее";
        const id = await store.posts.create({ authorId, title: "Очень длинный", body });
        const short = await store.posts.create({ authorId, title: "слово0ж", body: "последнее" });
        assert.deepEqual(await search(store, "слово0ж последнее"), [short, id]);
        assert.deepEqual(await search(store, "длинный слово1ж слово9zж послед*"), [id]);
        assert.deepEqual(await search(store, "длинный короткий"), []);
        await store.posts.edit(id, () => ({ event: "post.updated", body: "краткий" }));
        assert.deepEqual(await search(store, "длинный краткий"), [id]);
        assert.deepEqual(await search(store, "слово1ж"), []);
        await store.posts.edit(id, () => ({ event: "post.updated", body }));
        assert.deepEqual(await search(store, "длинный слово1ж последнее"), [id]);
        await store.posts.edit(id, () => ({ event: "post.deleted" }));
        assert.deepEqual(await search(store, "слово1ж"), []);
      }));

    test("I13 I19 any body is saved and found, however a parser would take it", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        for (const part of ["<!--", "<a ", "a@", "http://", "a.b/", "&#", "\u0301", "<script>", "1e", "'\\"]) {
          const id = await store.posts.create({ authorId, title: "hard", body: `${part.repeat(20_000)} quokka` });
          assert.equal((await search(store, "quokka"))[0], id, part);
        }
      }));
  });
}

/** The ids of the posts that are found, best first. */
export async function search(store: Store, text: string): Promise<Id[]> {
  const words = searchWords(text);
  assert.notEqual(words, null, text);
  const read = store.prepareRead({
    kind: "posts",
    first: { slot: 0 },
    filter: { search: { slot: 1 } },
    order: { by: "relevance", descending: true },
    selection: { type: "Post", fields: [{ kind: "column", key: "id", column: "id" }] },
  });
  const rows = JSON.parse(await read.run([100, words])) as { id: Id }[];
  return rows.map(({ id }) => id);
}
