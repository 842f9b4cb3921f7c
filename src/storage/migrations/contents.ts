import { first } from "./0001-first.ts";
import { content } from "./0002-content.ts";
import { keysAndSignOut } from "./0005-keys-and-sign-out.ts";
import { replicaReaders } from "./0006-replica-readers.ts";
import { boundTokensAndClients } from "./0007-bound-tokens-and-clients.ts";
import { audit } from "./0008-audit.ts";
import { idempotency } from "./0009-idempotency.ts";
import { webhooks } from "./0010-webhooks.ts";
import { clientProtection } from "./0012-client-protection.ts";
import { clientCertificates } from "./0013-client-certificates.ts";
import { rateLimits } from "./0014-rate-limits.ts";
import { assertionAlgorithm } from "./0015-assertion-algorithm.ts";
import { pendingArtifacts } from "./0016-pending-artifacts.ts";
import { emailKeys } from "./0018-email-keys.ts";
import { words } from "./0020-words.ts";
import { resourceServers } from "./0021-resource-servers.ts";
import { creationOrder } from "./0022-creation-order.ts";
import { accounts } from "./0023-accounts.ts";
import { passkeys } from "./0024-passkeys.ts";
import { secondStep } from "./0025-second-step.ts";
import { tokenSignIns } from "./0026-token-sign-ins.ts";
import { upstreams } from "./0027-upstreams.ts";
import { scim } from "./0028-scim.ts";
import { agents } from "./0029-agents.ts";
import { agentChanges } from "./0030-agent-changes.ts";
import { usedClients } from "./0031-used-clients.ts";
import { workingCopies } from "./0032-working-copies.ts";
import { slugsAndPreviews } from "./0033-slugs-and-previews.ts";
import { editing } from "./0034-editing.ts";
import { deletedPosts } from "./0035-deleted-posts.ts";
import { plannedUpdates } from "./0036-planned-updates.ts";
import { revisionNames } from "./0037-revision-names.ts";
import { clientsOfPeople } from "./0038-clients-of-people.ts";
import { webhookAttempts } from "./0039-webhook-attempts.ts";
import { administration } from "./0040-administration.ts";
import { clientTrials } from "./0041-client-trials.ts";
import { nodes, withoutNodes } from "./0042-nodes.ts";
import { gates, withoutGates } from "./0043-gates.ts";
import { contentVersion, withoutContentVersion } from "./0044-content-version.ts";
import type { Migration, MigrationCost } from "./migration.ts";

/**
 * Every migration, oldest first. Never change a released migration: add the next number instead.
 *
 * Those up to 41 are whole. They count as `stop` when an older program beside them would lose something, or when they build
 * an index of a large table in their transaction, during which writers wait.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "first", kind: "expand", up: first },
  { version: 2, name: "content", kind: "stop", up: content, costs: [costOf("posts", 60)] },
  { version: 5, name: "keys-and-sign-out", kind: "expand", up: keysAndSignOut },
  { version: 6, name: "replica-readers", kind: "expand", up: replicaReaders },
  { version: 7, name: "bound-tokens-and-clients", kind: "expand", up: boundTokensAndClients },
  { version: 8, name: "audit", kind: "expand", up: audit },
  { version: 9, name: "idempotency", kind: "expand", up: idempotency },
  { version: 10, name: "webhooks", kind: "expand", up: webhooks },
  { version: 12, name: "client-protection", kind: "expand", up: clientProtection },
  { version: 13, name: "client-certificates", kind: "expand", up: clientCertificates },
  { version: 14, name: "rate-limits", kind: "expand", up: rateLimits },
  { version: 15, name: "assertion-algorithm", kind: "expand", up: assertionAlgorithm },
  { version: 16, name: "pending-artifacts", kind: "stop", up: pendingArtifacts },
  { version: 18, name: "email-keys", kind: "stop", up: emailKeys },
  { version: 20, name: "words", kind: "stop", up: words },
  { version: 21, name: "resource-servers", kind: "expand", up: resourceServers },
  { version: 22, name: "creation-order", kind: "stop", up: creationOrder },
  { version: 23, name: "accounts", kind: "stop", up: accounts },
  { version: 24, name: "passkeys", kind: "expand", up: passkeys },
  { version: 25, name: "second-step", kind: "stop", up: secondStep },
  { version: 26, name: "token-sign-ins", kind: "expand", up: tokenSignIns },
  { version: 27, name: "upstreams", kind: "expand", up: upstreams },
  { version: 28, name: "scim", kind: "expand", up: scim },
  { version: 29, name: "agents", kind: "stop", up: agents },
  { version: 30, name: "agent-changes", kind: "expand", up: agentChanges },
  { version: 31, name: "used-clients", kind: "stop", up: usedClients },
  { version: 32, name: "working-copies", kind: "stop", up: workingCopies },
  { version: 33, name: "slugs-and-previews", kind: "stop", up: slugsAndPreviews, costs: [costOf("posts", 34)] },
  { version: 34, name: "editing", kind: "expand", up: editing },
  { version: 35, name: "deleted-posts", kind: "expand", up: deletedPosts },
  { version: 36, name: "planned-updates", kind: "expand", up: plannedUpdates },
  { version: 37, name: "revision-names", kind: "expand", up: revisionNames },
  { version: 38, name: "clients-of-people", kind: "stop", up: clientsOfPeople },
  {
    version: 39,
    name: "webhook-attempts",
    kind: "stop",
    up: webhookAttempts,
    costs: [costOf("webhook_deliveries", 10)],
  },
  { version: 40, name: "administration", kind: "stop", up: administration, costs: [costOf("audit", 15)] },
  { version: 41, name: "client-trials", kind: "expand", up: clientTrials },
  { version: 42, name: "nodes", kind: "expand", up: nodes, down: withoutNodes },
  { version: 43, name: "gates", kind: "expand", up: gates, down: withoutGates },
  { version: 44, name: "content-version", kind: "expand", up: contentVersion, down: withoutContentVersion },
];

/** Measured on SQLite, with a disk and a processor that others used too. Not measured on PostgreSQL: the same numbers stand for it. */
function costOf(table: MigrationCost["table"], microseconds: number): MigrationCost {
  return { table, sqlite: microseconds, postgres: microseconds };
}
