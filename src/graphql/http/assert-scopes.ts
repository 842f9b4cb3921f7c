import { AppError } from "../../domain/errors.ts";
import { isForDraftsOnly, staysDraft } from "../../domain/posts/drafts-only.ts";
import { missingScopes } from "../../domain/scopes.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { requiredScopes } from "../documents/schema.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import type { Plan } from "../plan/plan.ts";
import type { RootField } from "../plan/root-field.ts";

/** Changes that `posts:draft` is enough for, as long as they concern a draft: whether these arguments leave it one. */
const OF_DRAFTS: Readonly<
  Record<string, (input: { readonly status?: unknown; readonly publishAt?: unknown }) => boolean>
> = {
  createPost: staysDraft,
  updatePost: ({ publishAt }) => publishAt === undefined,
};

/**
 * One refusal names everything that the document needs, so that one further consent is enough (RFC 6750 section 3.1).
 *
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function assertScopes(plan: Plan, viewer: Viewer): void {
  const missing = missingScopes(viewer, plan.scopes);
  if (missing.length === 0) return;
  const lacking =
    isForDraftsOnly(viewer) && plan.fields.every(isOfDrafts)
      ? missing.filter((scope) => scope !== "posts:write")
      : missing;
  if (lacking.length > 0) throw refusal(plan, viewer, lacking);
}

/**
 * `posts:draft` depends on the arguments, which are known later. The use-case checks whether the post is a draft.
 *
 * @throws AppError FORBIDDEN
 */
export function assertDraftArguments(plan: Plan, bound: BoundValues, viewer: Viewer): void {
  if (!isForDraftsOnly(viewer)) return;
  const areOfDrafts = plan.fields.every((field, index) => {
    if (field.kind !== "mutation") return true;
    const input = bound[index]?.args.input;
    return OF_DRAFTS[field.definition.name]?.(input as object) !== false;
  });
  if (!areOfDrafts) throw refusal(plan, viewer, ["posts:write"]);
}

function isOfDrafts(field: RootField): boolean {
  if (field.kind !== "mutation" || !requiredScopes(field.definition).includes("posts:write")) return true;
  return Object.hasOwn(OF_DRAFTS, field.definition.name);
}

function refusal({ scopes }: Plan, { clientId }: Viewer, missing: readonly string[]): AppError {
  // Nobody in particular was let in (PUBLIC_READ): what is missing is a token, not a scope of one.
  if (clientId === null)
    return new AppError("UNAUTHENTICATED", `This needs an access token with the scope ${scopes.join(" ")}.`, {
      scope: scopes,
    });
  return new AppError("FORBIDDEN", `The access token lacks the scope ${missing.join(" ")}.`, { scopes });
}
