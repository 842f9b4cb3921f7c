import { listOwnClients } from "../../domain/clients/own-clients.ts";
import type { Id } from "../../domain/id.ts";
import type { User } from "../../domain/people/user.ts";
import { POST_STATUSES } from "../../domain/post-status.ts";
import type { Store } from "../../domain/store/store.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import type { Access } from "./access.ts";

/** Posts in one read: each may have a megabyte of text. */
const POSTS_AT_ONCE = 10;
const ROWS_AT_ONCE = 200;
/** Before everything that is kept. */
const FOR_EVER = "1970-01-01T00:00:00.000Z";

export interface ExportOptions {
  readonly store: Pick<
    Store,
    | "posts"
    | "workingCopies"
    | "plannedUpdates"
    | "revisions"
    | "deletedPosts"
    | "audit"
    | "agents"
    | "clients"
    | "mails"
    | "passkeys"
    | "secondSteps"
    | "upstreamIdentities"
  >;
  readonly access: Pick<Access, "listSessions" | "listClients">;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Everything that is kept about a person, as the pieces of one JSON document (U73). It is read page by page, as fast as the pieces are
 * taken, and has no secret and no hash in it.
 */
export async function* exportAccount(options: ExportOptions, user: User): AsyncGenerator<string> {
  const { store, access, now } = options;
  yield `{"exportedAt":${JSON.stringify(new Date(now()).toISOString())}`;
  yield `,"profile":${JSON.stringify(profileOf(user))}`;
  yield* list("posts", postsOf(store.posts, user.id));
  yield* list("deletedPosts", deletedPostsOf(store.deletedPosts, user.id));
  yield* list("unpublishedTexts", textsOf(store.workingCopies, user.id));
  yield* list("plannedUpdates", textsOf(store.plannedUpdates, user.id));
  yield* list("history", revisionsOf(store.revisions, user.id));
  yield* list("passkeys", passkeysOf(store.passkeys, user.id));
  yield `,"secondStep":${JSON.stringify(await secondStepOf(store.secondSteps, user))}`;
  yield* list("linkedServices", linksOf(store.upstreamIdentities, user.id));
  yield* list("sessions", sessionsOf(access, user.id));
  yield* list("apps", appsOf(access, user.id));
  yield* list("ownClients", ownClientsOf(store.clients, user.id));
  yield* list("agents", agentsOf(store.agents, user.id));
  yield* list("changesByAgents", agentChangesOf(store.agents, user.id));
  yield* list("securityEvents", eventsOf(store.audit, user.id));
  yield* list("mails", mailsOf(store.mails, user.id));
  yield "}\n";
}

async function* list(name: string, entries: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = "";
  for await (const entry of entries) {
    yield `${separator}\n${JSON.stringify(entry)}`;
    separator = ",";
  }
  yield "]";
}

function profileOf({ id, name, email, emailVerified, role, createdAt, disabledAt, deletesAt }: User) {
  return { id, name, email, emailVerified, role, createdAt, disabledAt, deletesAt };
}

/** All entries of a list that comes in pages. @param list the page after this place; the first one without it */
async function* walk<Entry, Place>(
  list: (after: Place | undefined) => Promise<readonly Entry[]>,
  placeOf: (entry: Entry) => Place,
) {
  for (let after: Place | undefined; ; ) {
    const page = await list(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) break;
    after = placeOf(last);
  }
}

async function* postsOf(posts: Store["posts"], author: Id) {
  for (const status of POST_STATUSES)
    yield* walk(
      (after: PostPlace | undefined) => posts.listOfAuthor(author, { status, after, limit: POSTS_AT_ONCE }),
      (post) => post,
    );
}

type PostPlace = Awaited<ReturnType<Store["posts"]["listOfAuthor"]>>[number];

/** Posts that can still be restored. */
async function* deletedPostsOf(deletedPosts: Store["deletedPosts"], author: Id) {
  const list = (after: Id | undefined) => deletedPosts.listOfAuthor(author, { after, limit: POSTS_AT_ONCE });
  for await (const { authorId: _, deletedBy, ...post } of walk(list, ({ id }) => id))
    yield { ...post, deletedByYou: deletedBy === author };
}

/** Texts that the person saved last, of whatever post, or has planned for published posts. */
function textsOf(texts: Store["workingCopies"] | Store["plannedUpdates"], userId: Id) {
  return walk<{ readonly postId: Id }, Id>(
    (after) => texts.listOfPerson(userId, { after, limit: POSTS_AT_ONCE }),
    ({ postId }) => postId,
  );
}

/** Changes that the person made, of whatever post, deleted ones at the end, with the texts that they brought. */
async function* revisionsOf(revisions: Store["revisions"], userId: Id) {
  for (const which of [{}, { ofDeleted: true }] as const) {
    const list = (after: Id | undefined) => revisions.listOfPerson(userId, { ...which, after, limit: POSTS_AT_ONCE });
    for await (const { postId, version, kind, status, createdAt, clientId, name, text } of walk(list, ({ id }) => id))
      yield { postId, version, kind, status, createdAt, clientId, name, ...text };
  }
}

async function* passkeysOf(passkeys: Store["passkeys"], userId: Id) {
  for (const { name, createdAt, usedAt, isBackedUp } of await passkeys.listOf(userId))
    yield { name, createdAt, lastUsedAt: usedAt, synced: isBackedUp };
}

async function secondStepOf(secondSteps: Store["secondSteps"], { id, secondStep: isOn }: User) {
  const { totp, codesLeft } = await secondSteps.findFactors(id, null);
  return { isOn, authenticatorAppSince: totp?.confirmedAt ?? null, recoveryCodesLeft: codesLeft };
}

async function* linksOf(identities: Store["upstreamIdentities"], userId: Id) {
  for (const { provider, subject, emailAtLink, linkedAt, usedAt } of await identities.listOf(userId))
    yield { service: provider, account: subject, email: emailAtLink, linkedAt, lastUsedAt: usedAt };
}

async function* sessionsOf(access: ExportOptions["access"], userId: Id) {
  for (const { signedInAtSeconds, seen } of await access.listSessions(userId))
    yield {
      browser: nameBrowser(seen?.agent),
      userAgent: seen?.agent ?? null,
      address: seen?.address ?? null,
      signedInAt: timeOf(signedInAtSeconds),
      lastUsedAt: seen === null ? null : timeOf(seen.atSeconds),
    };
}

async function* appsOf(access: ExportOptions["access"], userId: Id) {
  const { allowed, given } = await access.listClients(userId);
  for (const [by, clients] of [["you", allowed] as const, ["operator", given] as const])
    for (const { clientId, name, scopes, elsewhere, sinceSeconds } of clients)
      yield { clientId, name, allowedBy: by, scopes, otherApis: elsewhere, since: timeOf(sinceSeconds) };
}

/** Clients that the person owns. */
async function* ownClientsOf(clients: Store["clients"], ownerId: Id) {
  for (const client of await listOwnClients({ clients }, ownerId)) {
    const { id, name, type, redirectUris, scopes, createdAt, lastUsedAt, disabledAt } = client;
    yield { clientId: id, name, type, redirectUris, scopes, createdAt, lastUsedAt, disabledAt };
  }
}

async function* eventsOf(audit: Store["audit"], userId: Id) {
  type Line = Awaited<ReturnType<typeof audit.list>>[number];
  for (let last: Line | undefined; ; ) {
    const before = last === undefined ? {} : { before: last };
    const page: Line[] = await audit.list({ forPerson: userId, limit: ROWS_AT_ONCE, ...before });
    for (const { at, event, result, clientId, address, detail } of page)
      yield { at, event, result, clientId, address, detail };
    last = page.at(-1);
    if (last === undefined) break;
  }
}

async function* agentsOf(agents: Store["agents"], userId: Id) {
  for (let after: Id | undefined; ; ) {
    const page = await agents.list({ userId, after, writesSince: FOR_EVER, limit: ROWS_AT_ONCE });
    for (const { clientId, clientName, firstUsedAt, lastUsedAt, writes } of page)
      yield { clientId, name: clientName, firstUsedAt, lastUsedAt, changes: writes };
    after = page.at(-1)?.id;
    if (after === undefined) break;
  }
}

/** Changes by the person's agents, and by any agent of the person's posts. Only the latter with the texts before, which are the person's. */
async function* agentChangesOf(agents: Store["agents"], userId: Id) {
  type Change = Awaited<ReturnType<typeof agents.listChanges>>[number];
  for (let before: Change | undefined; ; ) {
    const page: Change[] = await agents.listChanges({ about: userId, limit: ROWS_AT_ONCE, before });
    for (const change of page) {
      const { at, clientId, tool, postId, versionBefore, versionAfter, revertedAt } = change;
      const facts = { at, clientId, tool, postId, versionBefore, versionAfter, revertedAt };
      if (change.authorId !== userId) yield facts;
      else
        yield {
          ...facts,
          statusBefore: change.before?.status ?? null,
          titleBefore: change.before?.title ?? null,
          bodyBefore: change.before?.hasBody ? await agents.findBodyBefore(change.id) : null,
        };
    }
    before = page.at(-1);
    if (before === undefined) break;
  }
}

async function* mailsOf(mails: Store["mails"], userId: Id) {
  for (let after: Id | undefined; ; ) {
    const page = await mails.list({ userId, limit: ROWS_AT_ONCE, ...(after === undefined ? {} : { after }) });
    for (const { kind, createdAt, sentAt } of page) yield { kind, createdAt, sentAt };
    after = page.at(-1)?.id;
    if (after === undefined) break;
  }
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
