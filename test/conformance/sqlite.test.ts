import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { storeConforms } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
// Each test has a copy of it, which takes a fifth of the time of the migrations.
const migrated = join(folder, "migrated.db");
await (await openStore(`sqlite:${migrated}`)).close();
let count = 0;

function newUrl(): string {
  const file = join(folder, `${count++}.db`);
  copyFileSync(migrated, file);
  return `sqlite:${file}`;
}

storeConforms(
  "SQLite that one process serves",
  (now = Date.now) => openStore(newUrl(), { now, isAlone: true }),
  async () => {
    const url = newUrl();
    return [await openStore(url, { isAlone: true }), await openStore(url)]; // the other one as the command line has it
  },
  false,
);
