import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chownSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { command, lacks } from "../faults/machine.ts";
import { freePort } from "../port.ts";
import {
  type BuiltImage,
  COMMANDS_TO_RUN,
  type Place,
  readImage,
  readJson,
  runIn,
  serveIn,
  unpack,
} from "./built-image.ts";

const ROOT = join(import.meta.dirname, "../..");
const BUILD = join(ROOT, "deploy/image/build.sh");
/** Bytes of a download. */
const LARGEST = 60_000_000;

const run = promisify(execFile);
const own = readJson(ROOT, "package.json") as { name: string; version: string; description: string };
const isRoot = process.getuid?.() === 0;

/** Folders of Debian's packages that the image takes files from. */
const SOURCES = ["/usr/share/zoneinfo/Etc", "/usr/share/ca-certificates/mozilla"];
const missing = SOURCES.filter((folder) => !existsSync(folder));
const LACKS =
  lacks(["dpkg-query", "ldd", "tar"]) || (missing.length > 0 && `this machine has no ${missing.join(", no ")}`);

describe("the image", { skip: LACKS }, () => {
  let folder: string;
  let built: string;
  let image: BuiltImage;
  const source = "https://git.example.com/content-api";
  const environment = { ...process.env, IMAGE_SOURCE: source };
  const archive = `${own.name}-${own.version}-image.tar`;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-image-"));
    built = join(folder, "first");
    await run(BUILD, [built], { env: environment });
    image = readImage(join(built, "image"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("K10 it is small, and an upgrade of the program needs one layer of a few megabytes", (t) => {
    const [system, program, ...others] = image.manifest.layers.map(({ size }) => size);
    t.diagnostic(`${image.size} bytes compressed, of which the program has ${program}`);
    assert.ok(image.size < LARGEST, `${image.size}`);
    assert.ok(system !== undefined && program !== undefined && program < 5_000_000, `${program}`);
    assert.deepEqual(others, []);
    assert.deepEqual(readdirSync(built).sort(), [archive, "image"], "nothing unfinished stays");
  });

  test("K10 a second build has the same bytes, without the rights of root, whatever umask, time zone and language", async () => {
    const second = join(folder, "second");
    const env = { ...environment, TZ: "Asia/Kathmandu", LC_ALL: "sv_SE.UTF-8" };
    const words = ["-c", `umask 077; exec ${isRoot ? "setpriv --bounding-set=-all --inh-caps=-all" : ""} "$@"`];
    await run("sh", [...words, "sh", BUILD, second], { env });
    const files = (from: string) => globSync("**/*", { cwd: from }).sort();
    assert.deepEqual(files(second), files(built));
    for (const name of files(built))
      if (statSync(join(built, name)).isFile())
        assert.ok(readFileSync(join(second, name)).equals(readFileSync(join(built, name))), name);
  });

  test("K10 its configuration has user, folder, address, stop signal, health check and labels", () => {
    const { config, os, architecture, created } = image.configuration;
    const { Labels, ...rest } = config;
    assert.deepEqual(rest, {
      User: "10001:10001",
      ExposedPorts: { "4000/tcp": {} },
      Env: ["PATH=/usr/local/bin", "HOST=0.0.0.0"],
      Entrypoint: ["content-api"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      WorkingDir: "/data",
      StopSignal: "SIGTERM",
      Healthcheck: {
        Test: ["CMD", "content-api", "healthcheck"],
        Interval: 10e9,
        Timeout: 5e9,
        StartPeriod: 300e9,
        Retries: 3,
      },
    });
    assert.deepEqual([os, architecture], ["linux", { x64: "amd64" }[process.arch as string] ?? process.arch]);
    const { "org.opencontainers.image.revision": revision, ...labels } = Labels;
    assert.deepEqual(labels, {
      "org.opencontainers.image.title": "content-api",
      "org.opencontainers.image.description": own.description,
      "org.opencontainers.image.version": own.version,
      "org.opencontainers.image.created": created,
      "org.opencontainers.image.licenses": "MIT",
      "org.opencontainers.image.source": source,
    });
    if (existsSync(join(ROOT, ".git"))) {
      const commit = command("git", "-C", ROOT, "rev-parse", "HEAD").trim();
      assert.equal(revision?.replace(/-modified$/, ""), commit);
    }
    assert.deepEqual(image.manifest.annotations, Labels);
    assert.deepEqual(image.tags, [own.version, "latest"]);
  });

  test("K10 the files for Compose and Kubernetes start it as it wants to be started", () => {
    const { Entrypoint, Cmd, User } = image.configuration.config;
    const yaml = (path: string) =>
      parseAllDocuments(readFileSync(join(ROOT, "deploy", path), "utf8"))[0]?.toJS() ?? assert.fail(path);
    const service = yaml("compose.yaml").services["content-api"];
    assert.match(service.image, /^\$\{CONTENT_API_IMAGE:-content-api\}$/);
    assert.deepEqual([...Entrypoint, ...service.command], [...Entrypoint, ...Cmd]);
    for (const path of ["kubernetes/content-api.yaml", "kubernetes/migrate.yaml"]) {
      const { securityContext, containers } = yaml(path).spec.template.spec;
      assert.equal(`${securityContext.runAsUser}:${securityContext.runAsGroup}`, User);
      // `command` stands in for the entry point and its words.
      assert.deepEqual([containers[0].image, containers[0].command[0]], [own.name, Entrypoint[0]]);
    }
  });

  test("K10 it has no shell, nothing else that runs, no setuid file, and one folder of the user's", () => {
    const runs = image.entries.filter(({ mode }) => mode.startsWith("-") && mode.includes("x"));
    const names = runs.map(({ name }) => name.replace(/^lib.*\/ld-linux-[\w-]+\.so\.\d$/, "the loader"));
    const program = "opt/content-api/bin/content-api.cjs";
    assert.deepEqual(names.sort(), [program, "the loader", "usr/local/bin/content-api", "usr/local/bin/node"]);
    assert.deepEqual(
      image.entries.filter(({ owner }) => owner !== "0/0"),
      [{ mode: "drwx------", owner: "10001/10001", name: "data" }],
    );
    for (const { mode, name } of image.entries)
      if (name !== "data") assert.match(mode, /^(?:-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|l.{9})$/, name);
    const has = new Set(image.entries.map(({ name }) => name));
    for (const name of ["libc6", "libstdc++6", "libgcc-s1", "tzdata", "ca-certificates"])
      assert.ok(has.has(`var/lib/dpkg/status.d/${name}`) && has.has(`usr/share/doc/${name}/copyright`), name);
    for (const name of [
      "usr/share/doc/node/copyright",
      "opt/content-api/LICENSES.txt",
      "opt/content-api/sbom.cdx.json",
    ])
      assert.ok(has.has(name), name);
  });

  test("K10 the archive has the same image, for docker load and podman load", () => {
    const unpacked = join(folder, "archive");
    mkdirSync(unpacked);
    command("tar", "-xf", join(built, archive), "-C", unpacked);
    assert.deepEqual(readImage(unpacked).manifest, image.manifest);
    assert.deepEqual(readJson(unpacked, "manifest.json"), [
      {
        Config: `blobs/${image.manifest.config.digest.replace(":", "/")}`,
        RepoTags: [`${own.name}:${own.version}`, `${own.name}:latest`],
        Layers: image.manifest.layers.map(({ digest }) => `blobs/${digest.replace(":", "/")}`),
      },
    ]);
  });

  test("K10 umoci unpacks it, and would start it as we do", { skip: lacks(["umoci"]) }, () => {
    const bundle = join(folder, "bundle");
    const rootless = isRoot ? [] : ["--rootless"];
    command("umoci", "unpack", ...rootless, "--image", `${join(built, "image")}:${own.version}`, bundle);
    const { process: started } = readJson(bundle, "config.json") as {
      process: { args: string[]; cwd: string; env: string[]; user: { uid: number; gid: number } };
    };
    assert.deepEqual([started.args, started.cwd], [["content-api", "serve"], "/data"]);
    if (isRoot) assert.deepEqual([started.user.uid, started.user.gid], [10_001, 10_001]);
    for (const variable of image.configuration.config.Env) assert.ok(started.env.includes(variable), variable);
    for (const { name } of image.entries)
      assert.ok(name.includes("zoneinfo/") || existsSync(join(bundle, "rootfs", name)), name);
  });

  describe("unpacked, as its user", { skip: lacks(COMMANDS_TO_RUN, { root: true }) }, () => {
    let place: Place;
    before(() => {
      const root = join(folder, "root");
      unpack(image, root);
      const data = join(folder, "data");
      mkdirSync(data, { mode: 0o700 });
      chownSync(data, 10_001, 10_001);
      place = { root, data, mode: "read-only" };
    });

    test("K10 it serves, is healthy, and SIGTERM ends it, with a root that nobody can write to", async (t) => {
      const port = await freePort();
      const variables = { PORT: port, MAX_DELAY: 60_000 };
      const health = () => runIn(image, place, variables, ["content-api", "healthcheck"]);
      await assert.rejects(health(), { code: 1 }, "nothing listens yet");
      const startedAt = performance.now();
      const { child, base, stop } = await serveIn(image, place, variables);
      t.after(() => child.kill("SIGKILL"));
      t.diagnostic(`ready after ${Math.round(performance.now() - startedAt)} ms`);
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      for (const line of [/^Uid:(?:\t10001){4}$/m, /^Gid:(?:\t10001){4}$/m, /^Groups:[\t ]*$/m, /^CapEff:\t0+$/m])
        assert.match(status, line);
      assert.equal(await health(), "ready\n");
      const page = await fetch(`${base}/account`);
      assert.deepEqual([page.status, /<title>Sign in/.test(await page.text())], [200, true]);
      assert.deepEqual(
        readdirSync(place.data)
          .filter((name) => !/-(?:wal|shm)$/.test(name))
          .sort(),
        ["content.db", "secret.key"],
      );
      const [code, signal, output] = await stop();
      assert.deepEqual([code, signal], [0, null], output);
    });

    for (const mode of ["read-only", "writable"] as const)
      test(`K10 nothing outside /data can be written, where the runtime makes the root ${mode}`, async () => {
        const folders = [
          "",
          ...new Set(image.entries.filter(({ mode: [kind] }) => kind === "d").map(({ name }) => name)),
        ];
        const script = `
          const { writeFileSync, appendFileSync, readFileSync } = require("node:fs");
          const attempt = (write) => { try { write(); return null; } catch (error) { return error.code; } };
          const folders = JSON.parse(process.argv[1]);
          const made = folders.filter((name) => attempt(() => writeFileSync("/" + name + "/written", "")) === null);
          const changed = attempt(() => appendFileSync("/opt/content-api/package.json", ""));
          const [, options] = / \\/ (r[wo])[, ]/.exec(readFileSync("/proc/self/mountinfo", "utf8"));
          console.log(JSON.stringify({ made, changed, options }));`;
        const found = await runIn(image, { ...place, mode }, {}, ["node", "-e", script, JSON.stringify(folders)]);
        assert.deepEqual(JSON.parse(found), {
          made: ["data"],
          changed: "EACCES",
          options: mode === "writable" ? "rw" : "ro",
        });
        assert.ok(folders.length > 100, `${folders.length} folders`);
      });

    test("K10 it knows time zones and Debian's certificate authorities", async () => {
      const script = `
        const hour = new (require("node:sqlite").DatabaseSync)(":memory:")
          .prepare("SELECT time(0, 'unixepoch', 'localtime') AS hour").get().hour;
        const file = require("node:fs").readFileSync("/etc/ssl/certs/ca-certificates.crt", "utf8");
        const certificates = file.match(/-----BEGIN.*?-----END CERTIFICATE-----/gs);
        for (const pem of certificates) new (require("node:crypto").X509Certificate)(pem);
        console.log(JSON.stringify([hour, certificates.length]));`;
      const found = await runIn(image, place, { TZ: "Asia/Kathmandu" }, ["node", "-e", script]);
      const authorities = readdirSync("/usr/share/ca-certificates/mozilla").length;
      assert.deepEqual(JSON.parse(found), ["05:30:00", authorities]);
    });
  });
});
