export function writeDocuments(sdl: string, sources: ReadonlyMap<string, string>): string;
export function readSources(): Map<string, string>;
