// Draws the ladder of rooms in src/ as docs/structure.svg, from the imports themselves (npm run docs:structure). A floor is a
// folder of src/; its rooms stand in it, importing downwards. Arrows between floors leave out what other arrows imply.
import { writeFileSync } from "node:fs";
import { importGraph, roomGraph } from "./structure.js";

const CHIP = { height: 26, gap: 10, padding: 12, letter: 7.1 };
const CARD = { head: 30, padding: 14, gap: 26 };
const ROW_GAP = 74;
const MARGIN = 24;

/** @param {Map<string, Set<string>>} rooms from `roomGraph` */
export function drawStructure(rooms) {
  const floors = floorsOf(rooms);
  const arrows = withoutImplied(floorGraph(rooms));
  const cards = place(floors, arrows);
  const width = Math.max(...cards.map(({ x, w }) => x + w)) + MARGIN;
  const height = Math.max(...cards.map(({ y, h }) => y + h)) + MARGIN;
  const at = new Map(cards.map((card) => [card.name, card]));
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets].map((to) => arrow(at.get(from), at.get(to), [...targets].sort(byX(at)).indexOf(to), targets.size)),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The floors and rooms of src, from the top down">
<style>
svg { --paper: #fbfaf7; --card: #ffffff; --ink: #14171f; --muted: #5a6070; --line: #c9c6bd; font: 13px system-ui, sans-serif }
@media (prefers-color-scheme: dark) { svg { --paper: #0f1218; --card: #171b23; --ink: #e8eaf0; --muted: #9aa3b5; --line: #3a4252 } }
.paper { fill: var(--paper) } .card { fill: var(--card); stroke: var(--line) } .chip { fill: var(--paper); stroke: var(--line) }
.floor { fill: var(--ink); font-weight: 600 } .room { fill: var(--ink) } .arrow { fill: none; stroke: var(--muted); stroke-opacity: .55 }
.tip { fill: var(--muted) }
</style>
<rect class="paper" width="${width}" height="${height}"/>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
${lines.join("\n")}
${cards.map(card).join("\n")}
</svg>
`;
}

/** Floors by name, each with its rooms in rows: a room stands above the rooms of its floor that it imports from. */
function floorsOf(rooms) {
  const floors = new Map();
  for (const room of rooms.keys()) {
    const floor = floorOf(room);
    if (!floors.has(floor)) floors.set(floor, []);
    floors.get(floor).push(room);
  }
  return new Map(
    [...floors].map(([floor, inside]) => {
      const inner = new Map(
        inside.map((room) => [room, new Set([...rooms.get(room)].filter((to) => inside.includes(to)))]),
      );
      return [floor, rowsOf(inner).map((row) => row.map((room) => nameOf(room, floor)))];
    }),
  );
}

function floorOf(room) {
  return room === "src" ? "main.ts" : room.split("/")[1];
}

function nameOf(room, floor) {
  return room === "src" || room === `src/${floor}` ? "" : room.slice(`src/${floor}/`.length);
}

function floorGraph(rooms) {
  const graph = new Map();
  for (const [room, targets] of rooms) {
    const floor = floorOf(room);
    if (!graph.has(floor)) graph.set(floor, new Set());
    for (const target of targets) if (floorOf(target) !== floor) graph.get(floor).add(floorOf(target));
  }
  return graph;
}

/** Nodes of a graph without circles in rows, from the top down; each as low as it can stand above what it points to. */
function rowsOf(graph) {
  const levels = new Map();
  const level = (node) => {
    if (!levels.has(node)) levels.set(node, Math.max(-1, ...[...(graph.get(node) ?? [])].map(level)) + 1);
    return levels.get(node);
  };
  const rows = [];
  for (const node of [...graph.keys()].sort()) {
    const index = level(node);
    rows[index] ??= [];
    rows[index].push(node);
  }
  return rows.reverse();
}

/** The graph without arrows that a longer way stands for. */
function withoutImplied(graph) {
  const reach = (from, seen = new Set()) => {
    for (const to of graph.get(from) ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        reach(to, seen);
      }
    return seen;
  };
  return new Map(
    [...graph].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => ![...targets].some((other) => other !== to && reach(other).has(to)))),
    ]),
  );
}

function place(floors, arrows) {
  const rows = rowsOf(arrows).map((row) => row.map((name) => sizeOf(name, floors.get(name))));
  const width = Math.max(...rows.map((row) => row.reduce((sum, { w }) => sum + w + CARD.gap, -CARD.gap)));
  let y = MARGIN;
  return rows.flatMap((row) => {
    const own = row.reduce((sum, { w }) => sum + w + CARD.gap, -CARD.gap);
    let x = MARGIN + (width - own) / 2;
    const placed = row.map((one) => {
      const card = { ...one, x, y };
      x += one.w + CARD.gap;
      return card;
    });
    y += Math.max(...row.map(({ h }) => h)) + ROW_GAP;
    return placed;
  });
}

function sizeOf(name, rows) {
  const shown = rows.map((row) => row.filter((room) => room !== "")).filter((row) => row.length > 0);
  const rowWidth = (row) => row.reduce((sum, room) => sum + chipWidth(room) + CHIP.gap, -CHIP.gap);
  const w = Math.max(name.length * 8 + 2 * CARD.padding, ...shown.map((row) => rowWidth(row) + 2 * CARD.padding));
  const chips = shown.length === 0 ? 0 : shown.length * (CHIP.height + CHIP.gap) - CHIP.gap + CARD.padding;
  return { name, rows: shown, rowWidth, w: Math.round(w), h: CARD.head + chips };
}

function chipWidth(room) {
  return Math.round(room.length * CHIP.letter + 2 * CHIP.padding);
}

function card({ name, rows, rowWidth, x, y, w, h }) {
  const chips = rows.flatMap((row, index) => {
    let left = x + (w - rowWidth(row)) / 2;
    const top = y + CARD.head + index * (CHIP.height + CHIP.gap);
    return row.map((room) => {
      const box = `<rect class="chip" x="${left}" y="${top}" width="${chipWidth(room)}" height="${CHIP.height}" rx="6"/><text class="room" x="${left + chipWidth(room) / 2}" y="${top + 17.5}" text-anchor="middle">${room}</text>`;
      left += chipWidth(room) + CHIP.gap;
      return box;
    });
  });
  return `<g><rect class="card" x="${x}" y="${y}" width="${w}" height="${h}" rx="10"/><text class="floor" x="${x + w / 2}" y="${y + 20}" text-anchor="middle">${name}</text>${chips.join("")}</g>`;
}

function byX(at) {
  return (a, b) => at.get(a).x - at.get(b).x;
}

/** From the foot of a card, where its arrows stand side by side, to the head of another. */
function arrow(from, to, index, count) {
  const x1 = Math.round(from.x + (from.w * (index + 1)) / (count + 1));
  const y1 = from.y + from.h;
  const x2 = Math.round(Math.min(Math.max(x1, to.x + 14), to.x + to.w - 14));
  const y2 = to.y - 2;
  const bend = Math.min(60, (y2 - y1) / 2);
  return `<path class="arrow" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}" marker-end="url(#tip)"/>`;
}

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname;
  writeFileSync(`${root}docs/structure.svg`, drawStructure(roomGraph(importGraph(root))));
}
