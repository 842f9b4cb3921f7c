export type Graph = Map<string, Set<string>>;
export function importGraph(root: string): Graph;
export function roomOf(file: string): string;
export function roomGraph(graph: Graph): Graph;
export function circles(graph: Graph): string[][];
