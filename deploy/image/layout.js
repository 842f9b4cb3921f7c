// Writes an OCI layout (image-spec 1.1): `node deploy/image/layout.js FOLDER LAYER.tar…`. build.sh makes the layers. Its
// manifest.json is for `docker load`, which reads the same files under the names that it has there.
// REVISION is the commit; CREATED its date in seconds since 1970; IMAGE_SOURCE the URL of the source. Only CREATED is required.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const own = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
const { REVISION, CREATED, IMAGE_SOURCE } = process.env;
const created = new Date(Number(CREATED) * 1_000).toISOString().replace(".000", "");
/** As Go, and so every image, names what Node names otherwise. */
const ARCHITECTURES = { x64: { architecture: "amd64" }, arm64: { architecture: "arm64", variant: "v8" } };
const NANOSECONDS = 1e9;

const [folder = "image", ...layers] = process.argv.slice(2);
const platform = { ...ARCHITECTURES[process.arch], os: "linux" };
if (platform.architecture === undefined) throw new Error(`No image can be built for ${process.arch}.`);

/** Keys that the image specification defines; those of unknown value are left out. */
const labels = withoutEmpty({
  "org.opencontainers.image.title": own.name,
  "org.opencontainers.image.description": own.description,
  "org.opencontainers.image.version": own.version,
  "org.opencontainers.image.revision": REVISION,
  "org.opencontainers.image.created": created,
  "org.opencontainers.image.licenses": own.license,
  "org.opencontainers.image.source": IMAGE_SOURCE,
});

mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
const packed = layers.map((path) => {
  const tar = readFileSync(path);
  const data = gzipSync(tar, { level: 9 });
  data[9] = 0xff; // The system that compressed it: unknown.
  return { diffId: digestOf(tar), descriptor: blob("application/vnd.oci.image.layer.v1.tar+gzip", data) };
});

const config = json("application/vnd.oci.image.config.v1+json", {
  created,
  ...platform,
  config: {
    User: "10001:10001",
    ExposedPorts: { "4000/tcp": {} },
    Env: ["PATH=/usr/local/bin", "HOST=0.0.0.0"],
    Entrypoint: [own.name],
    Cmd: ["serve"],
    Volumes: { "/data": {} },
    WorkingDir: "/data",
    StopSignal: "SIGTERM",
    Labels: labels,
    // Reserved in the specification for Docker, which alone reads it.
    Healthcheck: {
      Test: ["CMD", own.name, "healthcheck"],
      Interval: 10 * NANOSECONDS,
      Timeout: 5 * NANOSECONDS,
      StartPeriod: 300 * NANOSECONDS, // The first start, and each upgrade, migrates the database.
      Retries: 3,
    },
  },
  rootfs: { type: "layers", diff_ids: packed.map(({ diffId }) => diffId) },
  history: packed.map(() => ({ created, created_by: "deploy/image/build.sh" })),
});
const manifest = json("application/vnd.oci.image.manifest.v1+json", {
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.manifest.v1+json",
  config,
  layers: packed.map(({ descriptor }) => descriptor),
  annotations: labels,
});

const tags = [own.version, "latest"];
write("oci-layout", { imageLayoutVersion: "1.0.0" });
write("index.json", {
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.index.v1+json",
  manifests: tags.map((tag) => ({ ...manifest, platform, annotations: { "org.opencontainers.image.ref.name": tag } })),
});
write("manifest.json", [
  {
    Config: pathOf(config.digest),
    RepoTags: tags.map((tag) => `${own.name}:${tag}`),
    Layers: packed.map(({ descriptor }) => pathOf(descriptor.digest)),
  },
]);
console.log(manifest.digest);

/** @returns its descriptor */
function json(mediaType, value) {
  return blob(mediaType, Buffer.from(JSON.stringify(value)));
}

/** Stores the content under its digest. @returns its descriptor */
function blob(mediaType, data) {
  const digest = digestOf(data);
  writeFileSync(join(folder, pathOf(digest)), data);
  return { mediaType, digest, size: data.length };
}

function digestOf(data) {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

function pathOf(digest) {
  return `blobs/${digest.replace(":", "/")}`;
}

function write(name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

function withoutEmpty(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}
