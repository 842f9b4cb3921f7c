import { useState } from "preact/hooks";
import { href } from "../../frame/href.ts";
import type { Studio, Writing } from "../../ports.ts";
import { EndingDialog } from "../ending-dialog.tsx";
import { type Ending, stateWords } from "../sentences.ts";
import { useHasChanges } from "../use-has-changes.ts";
import { AddressField } from "./address-field.tsx";
import { ExcerptField } from "./excerpt-field.tsx";
import { NotIncluded } from "./not-included.tsx";
import { PlanLine } from "./plan-line.tsx";
import { PreviewLinks } from "./preview-links.tsx";
import "../publishing.css";

interface SidePanelProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Everything about a post besides its title and text. */
export function SidePanel({ studio, writing }: SidePanelProps) {
  const [ending, setEnding] = useState<Ending | null>(null);
  const post = writing.post.value;
  const isReadOnly = writing.isReadOnly.value;
  const hasChanges = useHasChanges(writing);
  const state = stateWords(post, studio.server.value.timeZone);
  const plan = post?.plannedUpdate ?? null;
  const isScheduled = post?.status === "DRAFT" && post.publishAt !== null;

  return (
    <div class="panel">
      <section aria-labelledby="panel-state">
        <h2 id="panel-state">State</h2>
        <p class={`panel-state-name ${post?.status === "PUBLISHED" ? "good" : ""}`}>{state.name}</p>
        <p class="muted">{state.detail}</p>
        {isScheduled && hasChanges && <NotIncluded studio={studio} writing={writing} />}
        {plan !== null && <PlanLine studio={studio} writing={writing} plan={plan} />}
        {post?.status === "PUBLISHED" && hasChanges && plan === null && (
          <p>You have unpublished changes. Update makes them public.</p>
        )}
        {!isReadOnly && (
          <div class="panel-actions">
            {post?.status === "PUBLISHED" && post.url !== null && (
              <a class="button" href={post.url} target="_blank" rel="noreferrer">
                View
              </a>
            )}
            {isScheduled && (
              <button type="button" onClick={() => setEnding("unschedule")}>
                Take off the schedule
              </button>
            )}
            {plan !== null && (
              <button type="button" onClick={() => setEnding("cancel-update")}>
                Do not update
              </button>
            )}
            {hasChanges && (isScheduled || post?.status !== "DRAFT") && (
              <button type="button" onClick={() => setEnding("discard")}>
                Discard changes
              </button>
            )}
          </div>
        )}
      </section>
      <AddressField studio={studio} writing={writing} />
      <ExcerptField studio={studio} writing={writing} />
      {post?.authorName != null && studio.person.value.role !== "MEMBER" && (
        <section aria-labelledby="panel-author">
          <h2 id="panel-author">Author</h2>
          <p>{post.authorName}</p>
        </section>
      )}
      {post !== null && (
        <>
          <PreviewLinks studio={studio} writing={writing} />
          <section aria-labelledby="panel-history">
            <h2 id="panel-history">History</h2>
            <p>
              <a href={href(`/posts/${post.id}/history`)}>Compare and restore earlier versions</a>
            </p>
          </section>
          {!isReadOnly && (
            <section aria-labelledby="panel-more">
              <h2 id="panel-more">More</h2>
              <div class="panel-actions">
                {post.status === "PUBLISHED" && (
                  <>
                    <button type="button" onClick={() => setEnding("unpublish")}>
                      Unpublish
                    </button>
                    <button type="button" onClick={() => setEnding("archive")}>
                      Archive
                    </button>
                  </>
                )}
                <button type="button" class="danger" onClick={() => setEnding("delete")}>
                  Delete
                </button>
              </div>
            </section>
          )}
        </>
      )}
      {ending !== null && (
        <EndingDialog ending={ending} studio={studio} writing={writing} onClose={() => setEnding(null)} />
      )}
    </div>
  );
}
