import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type Block, ROOT, readAllBlocks } from "./blocks.ts";

const OPTIONS = {
  ...{ target: "es2024", lib: ["es2024", "dom", "dom.iterable"], module: "esnext", moduleResolution: "bundler" },
  ...{
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    jsx: "react-jsx",
    allowImportingTsExtensions: true,
  },
};

/** As in the projects that Vite makes: components are compiled by other tools, and run in browser-clients.slow.ts. */
const VUE_FILES = `declare module "*.vue" {
  import type { DefineComponent } from "vue";
  const component: DefineComponent;
  export default component;
}
`;

/** Each document is a folder of its own: its blocks may import each other. @returns complaints of the compiler */
async function compile(blocks: readonly Block[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-types-"));
  try {
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    for (const { document, line, language, detail, text } of blocks) {
      const path = join(folder, document, detail === "" ? `line-${line}.${language}` : detail);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${text}export {};\n`);
    }
    await writeFile(join(folder, "vue.d.ts"), VUE_FILES);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: OPTIONS, exclude: ["node_modules"] }),
    );
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    return await new Promise((resolve) => {
      execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: folder }, (_error, stdout) =>
        resolve(stdout),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("D02 TypeScript in the documents compiles against the packages that it names", async (t) => {
  const blocks = readAllBlocks().filter(({ kind }) => kind === "type");
  assert.ok(blocks.length >= 5, `${blocks.length} blocks`);
  t.diagnostic(`blocks that the compiler has read: ${blocks.length}`);
  assert.equal(await compile(blocks), "");
});

test("D02 a wrong name and a package that is missing are noticed", async () => {
  const block = { document: "some.md", line: 7, language: "ts", kind: "type", detail: "" } as const;
  const complaints = await compile([
    { ...block, text: 'import { Webhuk } from "standardwebhooks";\nimport "no-such-package";\nnew Webhuk();\n' },
  ]);
  assert.match(complaints, /some\.md\/line-7\.ts\(1,10\): error TS\d+: .*Webhuk/);
  assert.match(complaints, /no-such-package/);
});
