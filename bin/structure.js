// The structure of src/ as its imports have it: which file imports which, and so which room (folder) which. The structure
// test judges it, and `npm run docs:structure` draws it. Imports of types count.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/**
 * Static, dynamic and type-only imports between the files of src/.
 *
 * @param {string} root the folder of the project
 * @returns {Map<string, Set<string>>} paths from the root on, with slashes
 */
export function importGraph(root) {
  const files = readdirSync(join(root, "src"), { recursive: true })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
  return new Map(files.map((file) => [file, new Set(importsOf(root, file))]));
}

function importsOf(root, file) {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]+)"/g)].map((match) => match[1]);
  return specifiers.map((specifier) => posix.join(posix.dirname(file), specifier));
}

/** The room that a file stands in: its folder. */
export function roomOf(file) {
  return dirname(file);
}

/** @returns {Map<string, Set<string>>} which rooms each room imports from */
export function roomGraph(graph) {
  const rooms = new Map();
  for (const [file, targets] of graph) {
    const room = roomOf(file);
    if (!rooms.has(room)) rooms.set(room, new Set());
    for (const target of targets) if (roomOf(target) !== room) rooms.get(room).add(roomOf(target));
  }
  return rooms;
}

/**
 * The circles of a graph: its strongly connected components of more than one node (Tarjan 1972), each sorted.
 *
 * @param {Map<string, Set<string>>} graph
 * @returns {string[][]}
 */
export function circles(graph) {
  const indexes = new Map();
  const lows = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    indexes.set(node, indexes.size);
    lows.set(node, indexes.get(node));
    stack.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!indexes.has(target)) visit(target);
      if (stack.includes(target)) lows.set(node, Math.min(lows.get(node), lows.get(target)));
    }
    if (lows.get(node) !== indexes.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return found;
}
