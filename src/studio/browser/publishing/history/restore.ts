import { RestoreRevision } from "../../documents/history.ts";
import { present } from "../../documents/post-answers.ts";
import type { Studio, Writing } from "../../ports.ts";
import { adoptAnswer } from "../adopt-answer.ts";
import { putBack } from "../put-back.ts";

/**
 * Makes the text of a revision the text being written. Nothing is published, and nothing is removed. Undo writes the earlier text
 * again.
 *
 * @throws ApiFailure
 */
export async function restoreVersion(
  studio: Studio,
  writing: Writing,
  revision: { readonly id: string; readonly version: number },
): Promise<void> {
  const { id, workingVersion } = await writing.settle();
  const before = writing.texts.value;
  const answer = await studio.api.run(
    RestoreRevision,
    { id, revision: revision.id, workingVersion },
    { key: crypto.randomUUID() },
  );
  const payload = present(answer.restoreRevision);
  adoptAnswer(writing, present(payload.post), payload.workingCopy);
  studio.notify(`Version ${revision.version} is your text now. Nothing was published.`, {
    label: "Undo",
    run: () => putBack(studio, writing, before),
  });
}
