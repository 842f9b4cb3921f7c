import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { storeConforms } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

storeConforms("SQLite", (now = Date.now) => openStore(`sqlite:${join(folder, `${count++}.db`)}`, { now }));
