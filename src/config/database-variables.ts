import { grace, milliseconds, oneOf, postgresUrl } from "./setting.ts";
import { variable } from "./variable.ts";

/** How the program reads from a replica, and works with the engine behind DATABASE_URL where that is no plain PostgreSQL. */
export const DATABASE_VARIABLES = {
  READ_STALENESS: variable(
    grace,
    "0",
    "How old content may be that is read from DATABASE_READ_URL, such as 30s, 5m at most. Above 0, reads go on while DATABASE_URL does not answer, and each node may have a replica of its own. A process always sees its own writes. 0: every read sees every write that was acknowledged before, on every node.",
  ),
  DATABASE_ENGINE: variable(
    oneOf("auto", "postgresql", "portable"),
    "auto",
    "How far DATABASE_URL is PostgreSQL. auto: each start tests it, and uses a substitute for what does nothing. postgresql: no tests. portable: substitutes for locks and notifications from the start. PostgreSQL only.",
  ),
  DATABASE_LOCKS: variable(
    oneOf("auto", "advisory", "rows"),
    "auto",
    "Locks between processes: advisory locks, or rows of the table gates. The same for every node and command. auto: advisory locks if they lock. PostgreSQL only.",
  ),
  DATABASE_NOTIFY: variable(
    oneOf("auto", "listen", "poll"),
    "auto",
    "How a process learns of changes by others: listen with LISTEN and NOTIFY, or poll alone. auto: listen if a notification arrives within 2 seconds. PostgreSQL only.",
  ),
  DATABASE_POLL: variable(
    milliseconds(50, 1_000),
    "500ms",
    "Longest time until a process takes into account what another one has changed, from 50ms to 1s. New events are looked for more often, while somebody waits for them. PostgreSQL only.",
  ),
  DATABASE_POOLER: variable(
    oneOf("none", "transaction"),
    "none",
    "Pooler in DATABASE_URL. transaction: one such as PgBouncer that gives each transaction another session, so that nothing is prepared by name, and nothing is listened for except at DATABASE_LISTEN_URL. PostgreSQL only.",
  ),
  DATABASE_LISTEN_URL: variable(
    postgresUrl,
    null,
    "The same database as in DATABASE_URL without a pooler in between, for one connection per process that listens for changes. PostgreSQL only.",
  ),
} as const;
