/**
 * Peers that npm does not install. Each says how to get it; a run without it skips it and names it.
 *
 * - Rust: `cargo` on the PATH. The first run builds `peers/rust`.
 * - Ory Hydra: HYDRA, or `hydra` on the PATH. It is a Go module, `github.com/ory/hydra/v2`, but its `go.mod` replaces modules,
 *   so `go install` does not take it. In an empty folder:
 *
 *       go mod init hydra && go mod edit -require=github.com/ory/hydra/v2@v2.3.0 \
 *         -replace=github.com/gobuffalo/pop/v6=github.com/ory/pop/v6@v6.2.1-0.20241121111754-e5dfc0f3344b \
 *         -tool=github.com/ory/hydra/v2
 *       go mod tidy && CGO_ENABLED=0 go build -o hydra github.com/ory/hydra/v2
 *
 * - Keycloak: KEYCLOAK names the folder of a distribution, else `kc.sh` on the PATH; it needs Java 17 or newer. The distribution
 *   is `org.keycloak:keycloak-quarkus-dist:26.5.6:zip` (`mvn dependency:copy -Dartifact=… -DoutputDirectory=FOLDER`). The
 *   benchmark runs `kc.sh build` in it, which changes its folder.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export type PeerProgram = "rust" | "hydra" | "keycloak";

const RUST = join(import.meta.dirname, "peers", "rust");

let isBuilt = false;

/** The sentence for a run that goes without the peer; null where it is here. */
export function reasonToSkip(name: PeerProgram): string | null {
  const reason = { rust: lacksRust, hydra: lacksHydra, keycloak: lacksKeycloak }[name]();
  return reason === null ? null : `Skipped: ${name}. ${reason}`;
}

/** The server in Rust, built. @throws Error where cargo cannot build it */
export function rustPeer(): string {
  const reason = lacksRust();
  if (reason !== null) throw new Error(reason);
  return join(RUST, "target", "release", "rust-peer");
}

function lacksRust(): string | null {
  if (onPath("cargo") === null) return "cargo is not installed: with Rust and a C compiler, the benchmark builds it.";
  if (isBuilt) return null;
  console.error("Building the server in Rust …");
  const { status } = spawnSync("cargo", ["build", "--release", "--locked"], {
    cwd: RUST,
    stdio: ["ignore", 2, 2],
    timeout: 1_800_000,
  });
  isBuilt = status === 0;
  return isBuilt ? null : "It cannot be built: run cargo build --release in bench/peers/rust to see why.";
}

/** Where Hydra is. @throws Error where it is missing */
export function hydraProgram(): string {
  const program = process.env.HYDRA ?? onPath("hydra");
  if (program === null || !existsSync(program)) throw new Error("There is no Hydra.");
  return program;
}

function lacksHydra(): string | null {
  const { HYDRA } = process.env;
  if (HYDRA !== undefined) return existsSync(HYDRA) ? null : `HYDRA is ${HYDRA}, and there is nothing.`;
  return onPath("hydra") === null ? "It is not installed: bench/peer-programs.ts says how to get it." : null;
}

/** The folder of Keycloak. @throws Error where it is missing */
export function keycloakFolder(): string {
  const script = onPath("kc.sh");
  const folder = process.env.KEYCLOAK ?? (script === null ? null : dirname(dirname(script)));
  if (folder === null) throw new Error("There is no Keycloak.");
  return folder;
}

function lacksKeycloak(): string | null {
  const { KEYCLOAK, JAVA_HOME } = process.env;
  if (JAVA_HOME === undefined && onPath("java") === null) return "It needs Java 17 or newer, which is not installed.";
  if (KEYCLOAK !== undefined) {
    return existsSync(join(KEYCLOAK, "bin", "kc.sh")) ? null : `KEYCLOAK is ${KEYCLOAK}, and there is no bin/kc.sh.`;
  }
  return onPath("kc.sh") === null ? "It is not installed: bench/peer-programs.ts says how to get it." : null;
}

function onPath(program: string): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}
