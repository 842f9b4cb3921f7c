// What bounds the memory of a server, and can only be set before Node starts. Plain JavaScript for any Node from 20 on.

/**
 * Young objects get 32 MiB twice. V8 would take 64 MiB twice from a machine with much memory, and keep them; with 16, a read takes
 * 3 to 5 % more processor time (measured). Old ones are first collected at 48 MiB; from then on, run.js has a bound.
 */
const FLAGS = ["--max-semi-space-size=32", "--initial-old-space-size=48"];

/**
 * glibc keeps what was freed, for each thread apart. The 19 MiB that a check of a password takes were held by each of four
 * threads, up to twice. With a fixed threshold such pieces go back to the system as soon as they are free.
 * https://man7.org/linux/man-pages/man3/mallopt.3.html
 */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: "4194304", MALLOC_TRIM_THRESHOLD_: "4194304" };

/** Arguments and environment with which a server starts. Whatever the operator has set stays as it is. */
function forServer(execArgv, environment) {
  const given = [...execArgv, ...(environment.NODE_OPTIONS ?? "").split(/\s+/)].map(nameOf);
  const isChosen = Object.keys(environment).some((name) => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES");
  return {
    missing: FLAGS.filter((flag) => !given.includes(nameOf(flag))),
    environment: isChosen ? environment : { ...environment, ...ALLOCATION },
  };
}

/** V8 takes underscores as well. */
function nameOf(flag) {
  return flag.replaceAll("_", "-").split("=")[0];
}

/**
 * Becomes the same program with them, as the same process, if it is a server without them. Does nothing where the system cannot
 * do that, and in a process that has inherited a channel to its parent or sockets, which Node closes then.
 */
export function startAgainAsServer(args) {
  if (args[0] !== "serve" || process.execve === undefined || process.platform === "win32") return;
  if (process.connected || process.env.LISTEN_FDS !== undefined) return;
  const { missing, environment } = forServer(process.execArgv, process.env);
  if (missing.length === 0) return;
  process.execve(
    process.execPath,
    [process.execPath, ...missing, ...process.execArgv, ...process.argv.slice(1)],
    environment,
  );
}
