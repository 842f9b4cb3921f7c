import { useState } from "preact/hooks";
import { postFailureWords } from "../../api/failure-words.ts";
import type { PostFacts, Studio, Writing } from "../../ports.ts";
import { applyText, type Step } from "../changes.ts";
import { goLiveTime } from "../sentences.ts";

interface NotIncludedProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Says that what was written after scheduling does not go live with the post or the update, and includes it. */
export function NotIncluded({ studio, writing }: NotIncludedProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const post = writing.post.value;
  const time = post && goLiveTime(post, studio.server.value.timeZone);
  if (time === null) return null;

  async function include(): Promise<void> {
    setSending(true);
    setFailure(null);
    try {
      await applyText(studio.api, writing, await writing.settle(), stepOf(post), crypto.randomUUID());
      studio.notify(`Your changes are part of what goes live at ${time}.`);
    } catch (error) {
      setFailure(postFailureWords(error));
    }
    setSending(false);
  }

  return (
    <div class="note">
      <p>Your latest changes are not part of what goes live at {time}.</p>
      {!writing.isReadOnly.value && (
        <button type="button" disabled={isSending} onClick={() => void include()}>
          Include
        </button>
      )}
      {failure !== null && (
        <p class="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

/** A scheduled draft takes the text over now. An update is planned again, at the same time. */
function stepOf(post: PostFacts | null): Step {
  if (post?.plannedUpdate == null) return { kind: "apply" };
  const { publishAt, publishAtZone } = post.plannedUpdate;
  return { kind: "schedule", publishAt, zone: publishAtZone };
}
