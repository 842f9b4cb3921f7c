import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { signal } from "@preact/signals";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import { openPaletteSearch } from "../../src/studio/browser/shell/palette/search.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An API whose requests the test answers. */
function openApi() {
  const asked: { variables: object; answer: (data: object) => void; fail: (error: Error) => void }[] = [];
  const run = (_document: unknown, variables: object) =>
    new Promise<object>((answer, fail) => {
      asked.push({ variables, answer, fail });
    });
  return { asked, run: run as never };
}

const post = (title: string) => ({ highlight: null, node: { id: title, title, status: "DRAFT" } });
const posts = (...titles: string[]) => ({ postsConnection: { edges: titles.map(post) } });

describe("S09 the search of the palette", () => {
  before(() => mock.timers.enable({ apis: ["setTimeout"] }));
  after(() => mock.timers.reset());

  function openSearch(isOpen: boolean) {
    const [usual, administration] = [openApi(), openApi()];
    const door = { api: administration, isOpen: signal(isOpen) };
    const search = openPaletteSearch(usual, door);
    const type = async (text: string) => {
      search.find(text);
      mock.timers.tick(150);
      await turn();
    };
    const found = () => search.found.value.map(({ name, kind }) => `${kind} ${name}`);
    return { usual, administration, door, search, type, found };
  }

  test("a writer finds posts; answers to what was typed before are dropped", async () => {
    const { usual, administration, type, found, search } = openSearch(false);
    search.find("h");
    await type("her");
    await type("hero");
    assert.deepEqual(
      usual.asked.map(({ variables }) => variables),
      [
        { search: "her*", name: "her", isAdministrator: false },
        { search: "hero*", name: "hero", isAdministrator: false },
      ],
    );
    usual.asked[1]?.answer(posts("Heron"));
    usual.asked[0]?.answer(posts("Her"));
    await turn();
    assert.deepEqual([found(), administration.asked.length], [["Draft Heron"], 0]);
    await type(" ");
    assert.deepEqual(found(), []);
  });

  test("an administrator whose door is open finds people and clients too, with one request", async () => {
    const { usual, administration, type, found } = openSearch(true);
    await type("ad");
    administration.asked[0]?.answer({
      ...posts("Adder"),
      accounts: { nodes: [{ id: "1", name: "Ada", email: "ada@example.com" }] },
      clients: [{ id: "c", name: "Adverts" }],
    });
    await turn();
    assert.deepEqual(found(), ["Draft Adder", "Person Ada, ada@example.com", "Client Adverts"]);
    assert.equal(usual.asked.length, 0);
  });

  test("a door that closes meanwhile keeps nobody from finding posts", async () => {
    const { usual, administration, door, type, found, search } = openSearch(true);
    await type("he");
    assert.equal(administration.asked.length, 1);
    door.isOpen.value = false;
    mock.timers.tick(150);
    usual.asked[0]?.answer(posts("Heron"));
    await turn();
    assert.deepEqual(found(), ["Draft Heron"]);
    await type("her");
    usual.asked[1]?.fail(new ApiFailure({ kind: "offline", message: "No answer." }));
    await turn();
    assert.equal(search.failure.value, "No answer.");
    search.close();
  });
});
