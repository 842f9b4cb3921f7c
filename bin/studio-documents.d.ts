export function writeDocuments(sdl: string, sources: ReadonlyMap<string, string>): Map<string, string>;
export function readSources(): Map<string, string>;
