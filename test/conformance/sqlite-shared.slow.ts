import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { storeConforms } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

const newUrl = () => `sqlite:${join(folder, `${count++}.db`)}`;

storeConforms(
  "SQLite",
  (now = Date.now) => openStore(newUrl(), { now }),
  async () => {
    const url = newUrl();
    return [await openStore(url), await openStore(url)];
  },
  false,
);
