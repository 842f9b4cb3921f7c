import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { command, pathOf } from "../faults/machine.ts";

const run = promisify(execFile);
/** Milliseconds that a busy machine may take. */
const PATIENCE = 60_000;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The parts of a manifest and a configuration that tests read (OCI image-spec 1.1). */
interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations: Record<string, string>;
}
interface Configuration {
  readonly created: string;
  readonly architecture: string;
  readonly os: string;
  readonly config: {
    readonly User: string;
    readonly WorkingDir: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Labels: Record<string, string>;
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

/** A file or folder of a layer, as `ls -l` has it. */
export interface Entry {
  readonly mode: string;
  readonly owner: string;
  readonly name: string;
}

export interface BuiltImage {
  readonly tags: readonly string[];
  readonly manifest: Manifest;
  readonly configuration: Configuration;
  /** Bytes of everything that a registry would store. */
  readonly size: number;
  readonly layers: readonly string[];
  readonly entries: readonly Entry[];
}

/** Reads a layout as runtimes do. @throws Error for content that is not that of its digest or size */
export function readImage(folder: string): BuiltImage {
  const index = readJson(folder, "index.json") as {
    manifests: (Descriptor & { annotations: Record<string, string> })[];
  };
  const [first, ...others] = index.manifests;
  if (first === undefined || others.some(({ digest }) => digest !== first.digest)) throw new Error("no image, or many");
  const manifest = JSON.parse(contentOf(folder, first).toString()) as Manifest;
  const configuration = JSON.parse(contentOf(folder, manifest.config).toString()) as Configuration;
  for (const [position, layer] of manifest.layers.entries())
    if (sha256(gunzipSync(contentOf(folder, layer))) !== configuration.rootfs.diff_ids[position])
      throw new Error(`layer ${position} is another one unpacked`);
  const layers = manifest.layers.map(({ digest }) => join(folder, fileOf(digest)));
  return {
    tags: index.manifests.map(({ annotations }) => annotations["org.opencontainers.image.ref.name"] ?? ""),
    manifest,
    configuration,
    size: [first, manifest.config, ...manifest.layers].reduce((total, { size }) => total + size, 0),
    layers,
    entries: layers.flatMap((layer) =>
      command("tar", "--numeric-owner", "-tvzf", layer)
        .trim()
        .split("\n")
        .map((line) => {
          const [mode = "", owner = "", , , , ...name] = line.split(/ +/);
          return { mode, owner, name: name.join(" ").replace(/\/?(?: -> .*)?$/, "") };
        }),
    ),
  };
}

export function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}

function contentOf(folder: string, { digest, size }: Descriptor): Buffer {
  const content = readFileSync(join(folder, fileOf(digest)));
  if (content.length !== size || sha256(content) !== digest) throw new Error(`${digest} has other content`);
  return content;
}

function fileOf(digest: string): string {
  return join("blobs", digest.replace(":", "/"));
}

function sha256(content: Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** Unpacks the layers with their owners, which takes root. */
export function unpack({ layers }: BuiltImage, root: string): void {
  mkdirSync(root);
  for (const layer of layers) command("tar", "--numeric-owner", "--same-owner", "-xpzf", layer, "-C", root);
}

/** The unpacked image, and the folder that stands in for a volume. */
export interface Place {
  readonly root: string;
  readonly data: string;
  /** `read-only` as with `--read-only` and a volume at /data; `writable`: the modes of files alone protect them. */
  readonly mode: "read-only" | "writable";
}

/**
 * In mounts that go with the process: the root, /data, and as much of /dev and /proc as every runtime has. Each program
 * becomes the next one, so that signals reach the last.
 */
const ENTER = `
set -e
root=$1 data=$2 mode=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,size=64k tmpfs "$root/dev"
for device in null urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro "$root/dev"
[ "$mode" = writable ] || mount -o remount,bind,ro "$root"
exec env -i "$@"
`;

/** Commands of the machine that `startIn` and `runIn` need, besides root. */
export const COMMANDS_TO_RUN = ["unshare", "setpriv", "mount", "env"];

/** Starts words in the unpacked image, with its user, folder and environment, and more variables. */
function startIn(image: BuiltImage, place: Place, variables: object, words: readonly string[]): ChildProcess {
  const [program = "", ...rest] = wordsIn(image, place, variables, words);
  return spawn(program, rest);
}

/** A server in the unpacked image that answers. */
export interface ServerIn {
  readonly child: ChildProcess;
  /** Its URL on this machine. */
  readonly base: string;
  /** Sends SIGTERM and waits. @returns exit code, signal that ended it, and what it has printed */
  stop(): Promise<readonly [code: number | null, signal: string | null, output: string]>;
}

/** Starts the image as runtimes do, and waits until `/readyz` answers 200. `variables` must have PORT. */
export async function serveIn(image: BuiltImage, place: Place, variables: { PORT: number }): Promise<ServerIn> {
  const { Entrypoint, Cmd } = image.configuration.config;
  const child = startIn(image, place, variables, [...Entrypoint, ...Cmd]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const exited = once(child, "exit");
  const base = `http://127.0.0.1:${variables.PORT}`;
  for (const deadline = Date.now() + PATIENCE; !(await fetch(`${base}/readyz`).catch(() => null))?.ok; ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`The server did not get ready: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    child,
    base,
    async stop() {
      child.kill("SIGTERM");
      const [code, signal] = await exited;
      return [code, signal, output];
    },
  };
}

/** Runs words as `startIn` does, and waits. @returns standard output @throws Error with the exit code in `code` */
export async function runIn(image: BuiltImage, place: Place, variables: object, words: readonly string[]) {
  const [program = "", ...rest] = wordsIn(image, place, variables, words);
  return (await run(program, rest, { timeout: PATIENCE })).stdout;
}

function wordsIn({ configuration }: BuiltImage, place: Place, variables: object, words: readonly string[]): string[] {
  const { User, WorkingDir, Env } = configuration.config;
  const [user = "", group = ""] = User.split(":");
  return [
    ...["unshare", "--mount", "--propagation=private", "sh", "-c", ENTER, "sh", place.root, place.data, place.mode],
    ...[...Env, ...Object.entries(variables).map((pair) => pair.join("="))],
    // By their paths: `PATH` is the image's already.
    ...[pathOf("setpriv") ?? "", "--no-new-privs", pathOf("unshare") ?? "", `--root=${place.root}`],
    ...[`--wd=${WorkingDir}`, `--setgid=${group}`, `--setuid=${user}`, "--", ...words],
  ];
}
