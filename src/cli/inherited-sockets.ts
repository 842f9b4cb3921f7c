import { ConfigError } from "../config/config.ts";
import type { InheritedSockets } from "../http/listener.ts";

/** The first descriptor that a service manager passes on: SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST = 3;
/** Name of sockets for OPERATIONS_PORT. Sockets of all other names, such as that of a unit, are for PORT. */
const OPERATIONS = "operations";

/**
 * Takes over the sockets that systemd or the program before this one has opened, as sd_listen_fds(3) says: LISTEN_FDS is
 * their number, LISTEN_FDNAMES their names with colons between them. The variables leave the environment, so that no child
 * takes them for its own.
 *
 * LISTEN_PID is this process, or the one that started it: `bin/content-api` may run the program on another Node, and no
 * process knows the id of its child before it starts it. Sockets for any other process are ignored.
 *
 * @throws ConfigError where the number is none
 */
export function takeInheritedSockets(
  environment: NodeJS.ProcessEnv,
  { pid, ppid }: Pick<NodeJS.Process, "pid" | "ppid">,
): InheritedSockets {
  const { LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES } = environment;
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]) delete environment[name];
  const sockets: Record<keyof InheritedSockets, number[]> = { main: [], operations: [] };
  if (LISTEN_FDS === undefined || ![String(pid), String(ppid)].includes(LISTEN_PID ?? "")) return sockets;
  if (!/^\d{1,4}$/.test(LISTEN_FDS)) throw new ConfigError(`LISTEN_FDS is no number of sockets: ${LISTEN_FDS}`);
  const names = LISTEN_FDNAMES?.split(":") ?? [];
  for (let index = 0; index < Number(LISTEN_FDS); index++)
    sockets[names[index] === OPERATIONS ? OPERATIONS : "main"].push(FIRST + index);
  return sockets;
}
