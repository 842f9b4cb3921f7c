import { appendFileSync } from "node:fs";

/** A reporter for `node --test` that appends the paths of files with failed tests to the file FAILED_FILES, one a line. */
export default async function* failedFiles(
  events: AsyncIterable<{ readonly type: string; readonly data: { readonly file?: string; readonly name?: string } }>,
): AsyncGenerator<string> {
  const found = new Set<string>();
  for await (const { type, data } of events)
    if (type === "test:fail" && data.file !== undefined && !found.has(data.file)) {
      found.add(data.file);
      appendFileSync(process.env.FAILED_FILES ?? "", `${data.file}\n`);
      yield "";
    }
}
