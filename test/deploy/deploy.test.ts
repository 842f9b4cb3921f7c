import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { parseAllDocuments } from "yaml";
import { type Config, readConfig } from "../../src/config/config.ts";
import { FILE_SETTINGS } from "../../src/config/secret-files.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { command, lacks, pathOf } from "../faults/machine.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, "deploy", path), "utf8");

/** A value of YAML whose form the test asserts as it reads. */
// biome-ignore lint/suspicious/noExplicitAny: each assertion says what is there
type Node = any;

/** Every document of a file; a duplicate key or any other error of form fails. */
function documents(path: string): Node[] {
  return parseAllDocuments(read(path), { strict: true, uniqueKeys: true }).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [], path);
    return document.toJS();
  });
}

/** Settings that the program takes, with values that it can read; the contents of files stand in for those of secrets. */
function assertSettings(settings: Record<string, string>): Config {
  const isFile = (name: string) => FILE_SETTINGS.some((setting) => name === `${setting}_FILE`);
  for (const [name, value] of Object.entries(settings)) {
    assert.ok(isFile(name) || Object.hasOwn(VARIABLES, name), name);
    assert.equal(typeof value, "string", `${name} is text`);
  }
  const plain = Object.entries(settings).filter(([name]) => !isFile(name));
  const config = readConfig(Object.fromEntries(plain), "/nonexistent/.env");
  assert.equal(config.BASE_URL, settings.BASE_URL);
  assert.notEqual(config.TRUST_PROXY, false);
  assert.equal(config.HOST, "0.0.0.0");
  return config;
}

const UNIT = "deploy/systemd/content-api.service";

describe("the unit of systemd", { skip: lacks(["systemd-analyze"]) }, () => {
  test("exposes little: at most 1.3", () => {
    const report = command("systemd-analyze", "security", "--offline=true", join(root, UNIT));
    const exposure = Number(/Overall exposure level for content-api\.service: (\d+\.\d)/.exec(report)?.[1]);
    assert.ok(exposure > 0 && exposure <= 1.3, report.slice(-200));
  });

  test("has no line that systemd does not know", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    t.after(() => rm(folder, { recursive: true }));
    const verify = async (change: string) => {
      const unit = join(folder, "content-api.service");
      await writeFile(unit, read("systemd/content-api.service").replaceAll("/opt/content-api", root) + change);
      const quiet = ["--man=no", "--recursive-errors=no"];
      command("sh", "-c", 'systemd-analyze verify "$@" 2>&1 | grep . >&2 && exit 1 || exit 0', "sh", ...quiet, unit);
    };
    await verify("");
    await assert.rejects(verify("\n[Service]\nProtectEverything=yes\n"), /ProtectEverything/);
  });

  test("the socket has no line that systemd does not know, and is where the settings of the service say", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    t.after(() => rm(folder, { recursive: true }));
    const units = ["content-api.service", "content-api.socket"].map((name) => join(folder, name));
    const verify = async (change: string) => {
      for (const unit of units)
        await writeFile(unit, read(`systemd/${basename(unit)}`).replaceAll("/opt/content-api", root) + change);
      const quiet = ["--man=no", "--recursive-errors=no"];
      command(
        "sh",
        "-c",
        'systemd-analyze verify "$@" 2>&1 | grep . >&2 && exit 1 || exit 0',
        "sh",
        ...quiet,
        ...units,
      );
    };
    await verify("");
    await assert.rejects(verify("\n[Socket]\nListenEverywhere=yes\n"), /ListenEverywhere/);
    const { HOST, PORT } = readConfig({}, "/nonexistent/.env");
    const addresses = HOST === "localhost" ? "127.0.0.1" : HOST;
    assert.match(read("systemd/content-api.socket"), new RegExp(`^ListenStream=${addresses}:${PORT}$`, "m"));
  });

  test("a reload is the restart that the program does on SIGHUP", () => {
    assert.match(read("systemd/content-api.service"), /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
    assert.match(
      read("systemd/content-api.service"),
      /^NotifyAccess=all$/m,
      "the new process tells its MAINPID itself",
    );
    assert.doesNotMatch(read("systemd/content-api.service"), /^(TasksMax|LimitNPROC)=/m);
  });

  test("starts the program as it is installed, with its secret from a file", () => {
    const text = read("systemd/content-api.service");
    const [, node = "", program = ""] =
      /^ExecStart=\/opt\/content-api\/(\S+) \/opt\/content-api\/(\S+) serve$/m.exec(text) ?? [];
    assert.deepEqual([node, program], ["node_modules/node/bin/node", "bin/content-api"]);
    assert.match(text, /^LoadCredential=SECRET_KEY:/m);
    assert.match(text, /^Environment=SECRET_KEY_FILE=%d\/SECRET_KEY$/m);
    assert.ok(FILE_SETTINGS.includes("SECRET_KEY"));
  });
});

describe("the files for containers", () => {
  test("K10 the build of the image names everything that the machine lacks, and leaves nothing behind", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    t.after(() => rm(folder, { recursive: true }));
    const commands = join(folder, "commands");
    await mkdir(commands);
    for (const name of ["bash", "dirname", "grep", "mkdir"])
      await symlink(pathOf(name) ?? assert.fail(name), join(commands, name));
    const { status, stderr } = spawnSync(
      join(commands, "bash"),
      [join(root, "deploy/image/build.sh"), join(folder, "built")],
      { env: { PATH: commands }, encoding: "utf8" },
    );
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^node is missing: install Node 20 or newer with npm$/m);
    assert.match(stderr, /^dpkg-query is missing: build on Debian or Ubuntu/m);
    assert.match(stderr, /^GNU tar is missing: apt-get install tar$/m);
    assert.deepEqual(readdirSync(folder), ["commands"]);
  });

  test("every YAML file is well-formed, and no file names a registry", () => {
    const files = globSync("**/*.yaml", { cwd: join(root, "deploy") });
    assert.ok(files.length >= 6, files.join());
    for (const file of files) {
      assert.ok(documents(file).length > 0, file);
      for (const [, image = ""] of read(file).matchAll(/image: *(\S+)/g)) assert.doesNotMatch(image, /[/]/, file);
    }
  });

  test("compose: everything that a service uses is defined, and the settings are the program's", () => {
    const [{ services, networks, volumes, secrets }] = documents("compose.yaml") as [Node];
    assert.deepEqual(Object.keys(services).sort(), ["caddy", "content-api", "postgres"]);
    for (const [name, service] of Object.entries<Node>(services)) {
      for (const secret of service.secrets ?? []) assert.ok(Object.hasOwn(secrets, secret), `${name}: ${secret}`);
      for (const network of Object.keys(service.networks)) assert.ok(Object.hasOwn(networks, network), network);
      for (const [other, { condition }] of Object.entries<Node>(service.depends_on ?? {})) {
        assert.equal(condition, "service_healthy");
        assert.ok(services[other].healthcheck.test.length > 1, other);
      }
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(":");
        if (source.startsWith("./")) read(source);
        else assert.ok(Object.hasOwn(volumes, source), source);
      }
      for (const [variable, path] of Object.entries<Node>(service.environment))
        if (variable.endsWith("_FILE")) assert.ok(service.secrets.includes(path.replace("/run/secrets/", "")), path);
    }
    const { environment } = services["content-api"];
    assertSettings({ ...environment, BASE_URL: environment.BASE_URL.replace(/\$\{DOMAIN:.*\}/, "api.example.com") });
    assert.equal(environment.TRUST_PROXY, services.caddy.networks.front.ipv4_address);
    assert.equal(services.caddy.environment.NODES, `content-api:${environment.PORT}`);
    for (const variable of Object.keys(services.caddy.environment))
      assert.ok(read("proxies/Caddyfile").includes(`{$${variable}:`), variable);
  });

  test("Kubernetes: selectors find the pods, probes and ports are the program's, secrets are files", () => {
    const [map] = documents("kubernetes/settings.yaml") as [Node];
    const [job] = documents("kubernetes/migrate.yaml") as [Node];
    const all = documents("kubernetes/content-api.yaml");
    const kind = (name: string): Node => all.find((one) => one.kind === name) ?? assert.fail(name);
    const [deployment, service, budget, policy] = [
      kind("Deployment"),
      kind("Service"),
      kind("PodDisruptionBudget"),
      kind("NetworkPolicy"),
    ];
    const { SHUTDOWN_DELAY } = assertSettings(map.data);
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ]) {
      assert.deepEqual(selector, labels);
      assert.notDeepEqual(job.spec.template.metadata.labels, labels, "no request goes to the migration");
    }
    for (const [name, value] of Object.entries(policy.spec.podSelector.matchLabels))
      assert.deepEqual([labels[name], job.spec.template.metadata.labels[name]], [value, value]);
    assert.equal(deployment.spec.replicas, 2);
    assert.ok(budget.spec.minAvailable < deployment.spec.replicas, "a node can be emptied");

    const [server] = deployment.spec.template.spec.containers;
    const ports = Object.fromEntries(server.ports.map((port: Node) => [port.name, String(port.containerPort)]));
    assert.deepEqual(ports, { http: map.data.PORT, operations: map.data.OPERATIONS_PORT });
    assert.equal(service.spec.ports[0].targetPort, "http");
    const probes = ["startupProbe", "readinessProbe", "livenessProbe"].map((probe) => server[probe].httpGet);
    assert.deepEqual(
      probes,
      ["/livez", "/readyz", "/livez"].map((path) => ({ path, port: "operations" })),
    );
    assert.ok(server.readinessProbe.periodSeconds * server.readinessProbe.failureThreshold <= SHUTDOWN_DELAY);
    assert.ok(deployment.spec.template.spec.terminationGracePeriodSeconds >= SHUTDOWN_DELAY + 10);

    for (const { spec } of [deployment.spec.template, job.spec.template]) {
      const [{ envFrom, volumeMounts, securityContext, command: words }] = spec.containers;
      assert.equal(envFrom[0].configMapRef.name, map.metadata.name);
      for (const [name, path] of Object.entries<string>(map.data))
        if (name.endsWith("_FILE")) assert.equal(path, `${volumeMounts[0].mountPath}/${name.replace("_FILE", "")}`);
      assert.equal(spec.volumes[0].secret.defaultMode, 0o440);
      assert.deepEqual(securityContext.capabilities.drop, ["ALL"]);
      assert.ok(securityContext.readOnlyRootFilesystem && spec.securityContext.runAsNonRoot);
      assert.equal(words[0], "content-api");
    }
    assert.deepEqual(job.spec.template.spec.containers[0].command, ["content-api", "migrate"]);
  });

  test("Traefik: the router leads to the nodes, and Client-Cert stays outside", () => {
    const [fixed] = documents("proxies/traefik.yaml") as [Node];
    const [{ http }] = documents("proxies/traefik-routes.yaml") as [Node];
    const router = http.routers["content-api"];
    assert.deepEqual(router.entryPoints, Object.keys(fixed.entryPoints));
    assert.ok(http.services[router.service].loadBalancer.servers.length === 2);
    assert.ok(http.serversTransports[http.services[router.service].loadBalancer.serversTransport]);
    for (const name of router.middlewares) assert.ok(http.middlewares[name], name);
    assert.equal(http.middlewares[router.middlewares[0]].headers.customRequestHeaders["Client-Cert"], "");
  });
});
