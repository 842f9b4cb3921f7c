import { useEffect, useState } from "preact/hooks";
import { PlannedText } from "../../documents/publishing.ts";
import type { PlannedUpdate, Studio, Texts, Writing } from "../../ports.ts";
import { isSame } from "../../saving/device/texts.ts";
import { textsOf } from "../adopt-answer.ts";
import { updateWords } from "../sentences.ts";
import { NotIncluded } from "./not-included.tsx";

interface PlanLineProps {
  readonly studio: Studio;
  readonly writing: Writing;
  readonly plan: PlannedUpdate;
}

/** The planned update of a published post: its time, or the reason why it was not made. */
export function PlanLine({ studio, writing, plan }: PlanLineProps) {
  const version = writing.post.value?.version ?? plan.baseVersion;
  const { text, isTrouble } = updateWords(plan, version, studio.server.value.timeZone, Date.now());
  const planned = usePlannedText(studio, writing, plan);
  const isWrittenSince = planned !== null && !isSame(planned, writing.texts.value);
  return (
    <>
      <p class={isTrouble ? "field-error" : undefined} role="status">
        {text}
      </p>
      {!isTrouble && isWrittenSince && <NotIncluded studio={studio} writing={writing} />}
    </>
  );
}

/** @returns null before the answer, and where none comes */
function usePlannedText(studio: Studio, writing: Writing, { publishAt, workingVersion }: PlannedUpdate): Texts | null {
  const [planned, setPlanned] = useState<Texts | null>(null);
  const id = writing.id.value;
  const isOnline = studio.isOnline.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time and the version say which text it is
  useEffect(() => {
    if (id === null || !isOnline) return undefined;
    let isOpen = true;
    studio.api.run(PlannedText, { id }).then(
      ({ post }) => isOpen && setPlanned(post?.plannedUpdate == null ? null : textsOf(post.plannedUpdate)),
      () => undefined, // asked again with the next connection
    );
    return () => {
      isOpen = false;
    };
  }, [studio, id, isOnline, publishAt, workingVersion]);
  return planned;
}
