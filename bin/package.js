// Writes the package that npm installs: `node bin/package.js [FOLDER [DATA]]`. It has the built program, and no install scripts.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { compile } from "./build.js";
import { sbomOf, withDependencies } from "./sbom.js";
import { tarball } from "./tarball.js";

const root = join(import.meta.dirname, "..");

/** Files that the program reads while it runs, or people do. */
const FILES = [
  "CHANGELOG.md",
  "LICENSE",
  "bin/run.js",
  "bin/server-flags.js",
  "schema.graphql",
  "src/authorization-server/passkeys/browser/passkeys.js",
  "src/secrets/common-passwords.txt",
];
const EXPLORER = "src/graphql/explorer/browser";

/** Files of other packages that the explorer's page loads (src/graphql/explorer/assets.ts). */
const LIBRARIES = {
  react: ["umd/react.production.min.js"],
  "react-dom": ["umd/react-dom.production.min.js"],
  graphiql: ["graphiql.min.js", "graphiql.min.css"],
};

/** The package that stays as its authors published it, with all that it needs (bin/build.js says why). */
const ENGINE = "oidc-provider";

/**
 * @param data folder for databases of which nobody gave the address
 * @returns the file that was written
 */
export async function writePackage(folder, data = "./content-api-data") {
  const own = readJson("package.json");
  const locked = readJson("package-lock.json").packages;
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(folder, "unfinished-"));
  try {
    const program = join(stage, "dist/program");
    const place = join(root, "dist/program"); // as deep as in a checkout
    const sources = await compile(root, program, { place, data });
    rmSync(join(program, "studio/metafile.json"));
    for (const [module, files] of Object.entries(LIBRARIES))
      for (const file of ["package.json", ...files])
        copy(`node_modules/${module}/${file}`, join(program, "explorer", module, file));
    const browser = readdirSync(join(root, EXPLORER)).filter((name) => /\.(?:js|css)$/.test(name));
    for (const file of [...FILES, ...browser.map((name) => `${EXPLORER}/${name}`)]) copy(file, join(stage, file));
    copy("bin/package.cjs", join(stage, "bin/content-api.cjs"));

    const engine = withDependencies(locked, `node_modules/${ENGINE}`);
    for (const key of engine) copyPackage(key, join(stage, key), locked);
    const keys = new Set([
      ...engine,
      // One of them has others in it.
      ...Object.keys(LIBRARIES).flatMap((name) => [...withDependencies(locked, `node_modules/${name}`)]),
      ...sources.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ""),
    ]);
    keys.delete("");
    const all = [...keys].sort();
    write(stage, "package.json", manifest(own, locked));
    write(stage, "sbom.cdx.json", sbomOf(own, locked, all));
    writeFileSync(join(stage, "LICENSES.txt"), licensesOf(all, locked));
    const target = join(folder, `${own.name}-${own.version}.tgz`);
    writeFileSync(target, tarball(stage, "package/", new Set(["bin/content-api.cjs"])));
    return target;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** People have not chosen a name for npm's registry yet, where this one is a stranger's: `private` keeps it from there. */
function manifest({ name, version, description, license, type }, locked) {
  return {
    ...{ name, version, description, license, type, private: true },
    bin: { [name]: "bin/content-api.cjs" },
    engines: { node: ">=24.15" },
    dependencies: { [ENGINE]: locked[`node_modules/${ENGINE}`].version },
    bundleDependencies: [ENGINE],
  };
}

/** Without documents, types, and the packages within it, which come by their own name. */
function copyPackage(key, target, locked) {
  const { scripts = {} } = readJson(`${key}/package.json`);
  const script = ["preinstall", "install", "postinstall"].find((name) => Object.hasOwn(scripts, name));
  if (script !== undefined || locked[key].hasInstallScript) throw new Error(`${key} has an install script.`);
  cpSync(join(root, key), target, {
    recursive: true,
    filter: (path) => {
      const name = basename(path);
      return name !== "node_modules" && (isLicense(name) || !/\.(?:md|map|d\.[cm]?ts)$/.test(name));
    },
  });
}

/** Licenses ask to be passed on with the code. */
function licensesOf(keys, locked) {
  return keys
    .map((key) => {
      const texts = readdirSync(join(root, key)).filter(isLicense).sort();
      const heading = `${key.slice(key.lastIndexOf("node_modules/") + 13)} ${locked[key].version} (${locked[key].license})`;
      return [heading, "", ...texts.map((name) => readFileSync(join(root, key, name), "utf8").trim()), ""].join("\n");
    })
    .join(`\n${"-".repeat(80)}\n`);
}

function isLicense(name) {
  return /^(?:licen[cs]e|notice|copying|third-party)/i.test(name);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, from), to);
}

function write(folder, name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

function readJson(name) {
  return JSON.parse(readFileSync(join(root, name), "utf8"));
}

if (process.argv[1] === import.meta.filename) {
  const written = await writePackage(process.argv[2] ?? join(root, "build"), process.argv[3]);
  const bytes = readFileSync(written).length;
  console.log(`${written}: ${(bytes / 1e6).toFixed(1)} MB`);
}
