import type { Graph } from "./structure.js";

export function drawStructure(rooms: Graph): string;
