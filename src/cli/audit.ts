import { Command, Option } from "commander";
import { AUDIT_EVENTS, AUDIT_RESULTS, type AuditEventName, type AuditResult } from "../domain/audit.ts";
import { parseId } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import { withStore } from "./context.ts";
import { limitOption, MOMENT, readMoment } from "./list-options.ts";
import { getIdOfPerson } from "./people.ts";
import { hint, printTable } from "./terminal/output.ts";

interface AuditOptions {
  since?: string;
  person?: string;
  client?: string;
  event?: AuditEventName;
  until?: string;
  result?: AuditResult;
  address?: string;
  request?: string;
  limit: number;
  json?: boolean;
}

export function auditCommand(): Command {
  return new Command("audit")
    .description(
      "lists decisions, newest first: sign-ins, consents, tokens, changes of people, clients, webhooks and keys",
    )
    .option("--since <when>", MOMENT)
    .option("--until <when>", `only before that: ${MOMENT}`)
    .option("--person <email-or-id>", "decisions about this person")
    .option("--client <client-id>", "decisions about this client")
    .addOption(new Option("--event <event>", "decisions of this kind").choices(AUDIT_EVENTS))
    .addOption(new Option("--result <result>", "decisions with this result").choices(AUDIT_RESULTS))
    .option("--address <ip-address>", "decisions about requests from this IP address")
    .option("--request <request-id>", "decisions about this request; the log has its id")
    .addOption(limitOption(10_000))
    .option("--json", "print JSON")
    .action((options: AuditOptions) => withStore((store, _config, now) => list(options, store, now())));
}

async function list(
  { since, until, person, client, event, result, address, request, limit, json }: AuditOptions,
  store: Store,
  now: number,
): Promise<void> {
  const events = await store.audit.list({
    limit,
    ...(since === undefined ? {} : { since: readMoment("since", since, now) }),
    ...(person === undefined ? {} : { userId: await getIdOfPerson(store, person) }),
    ...(client === undefined ? {} : { clientId: client }),
    ...(event === undefined ? {} : { event }),
    ...(until === undefined ? {} : { until: readMoment("until", until, now) }),
    ...(result === undefined ? {} : { result }),
    ...(address === undefined ? {} : { address }),
    ...(request === undefined ? {} : { requestId: request }),
  });
  if (json)
    return printTable(
      events.map((found) => ({ ...found })),
      true,
    );
  const ids = new Set(events.map(({ userId }) => userId));
  const named = await store.users.findAll([...ids].flatMap((id) => parseId(id ?? "") ?? []));
  const people = new Map<string, string>(named.map(({ id, email }) => [id, email || id]));
  const rows = events.map((found) => ({
    at: found.at.slice(0, 16).replace("T", " "),
    event: found.event,
    result: found.result,
    person: found.userId === null ? null : (people.get(found.userId) ?? found.userId),
    client: found.clientId,
    address: found.address,
    detail: found.detail,
  }));
  if (rows.length === 0) hint("Nothing was found. AUDIT_DAYS says for how long decisions are kept.");
  else await printTable(rows, false, ["at", "event", "result", "person"]);
}
