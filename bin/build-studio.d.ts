import type { Metafile } from "esbuild";

export function buildStudio(root: string, target: string): Promise<string[]>;
export function partsOf(outputs: Metafile["outputs"], main: string): Record<string, string[]>;
