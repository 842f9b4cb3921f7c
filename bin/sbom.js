// Lists the packages in a build as CycloneDX, from package-lock.json alone: the same lock file is the same list.

/**
 * @param {object} root package.json of the program
 * @param {Readonly<Record<string, object>>} locked `packages` of package-lock.json
 * @param {readonly string[]} keys packages of the list, by their folder
 */
export function sbomOf(root, locked, keys) {
  const ref = (key) => `${nameOf(key)}@${locked[key].version}`;
  const included = [...new Map(keys.map((key) => [ref(key), key])).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const refs = new Set(included.map(([name]) => name));
  const dependsOn = (from, { dependencies = {}, optionalDependencies = {} }) => [
    ...new Set(
      Object.keys({ ...dependencies, ...optionalDependencies })
        .map((name) => resolve(locked, from, name))
        .filter((key) => key !== null && refs.has(ref(key)))
        .map(ref),
    ),
  ];
  const own = `${root.name}@${root.version}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { "bom-ref": own, type: "application", ...described(root.name, root) } },
    components: included.map(([name, key]) => ({
      "bom-ref": name,
      type: "library",
      ...described(nameOf(key), locked[key]),
      hashes: [{ alg: "SHA-512", content: hexOf(locked[key].integrity) }],
    })),
    dependencies: [
      { ref: own, dependsOn: dependsOn("", root) },
      ...included.map(([name, key]) => ({ ref: name, dependsOn: dependsOn(key, locked[key]) })),
    ],
  };
}

/** Folders of a package and of everything it needs. */
export function withDependencies(locked, key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const name of Object.keys(locked[key].dependencies ?? {})) {
    const needed = resolve(locked, key, name);
    if (needed === null) throw new Error(`${key} needs ${name}, which package-lock.json lacks.`);
    withDependencies(locked, needed, found);
  }
  return found;
}

/** The folder in which Node finds the package `name` from the folder `from`; null for an optional one that is missing. */
function resolve(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const key = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(locked, key)) return key;
    if (folder === "") return null;
  }
}

function described(name, { version, license }) {
  const isExpression = /[ ()]/.test(license);
  return {
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
  };
}

function nameOf(key) {
  return key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
}

function hexOf(integrity) {
  return Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
}
