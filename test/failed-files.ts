import { appendFileSync } from "node:fs";

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly details?: { readonly error?: { readonly failureType?: string } };
  };
}

/** A reporter for `node --test` that appends the paths of files with failed tests to the file FAILED_FILES, one a line. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const found = new Set<string>();
  for await (const { type, data } of events) {
    // A suite fails with the tests in it, which may be those of another file.
    const isOfOthers = data.details?.error?.failureType === "subtestsFailed";
    if (type === "test:fail" && !isOfOthers && data.file !== undefined && !found.has(data.file)) {
      found.add(data.file);
      appendFileSync(process.env.FAILED_FILES ?? "", `${data.file}\n`);
      yield "";
    }
  }
}
