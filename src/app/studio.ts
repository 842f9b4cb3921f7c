import type { Config } from "../config/config.ts";
import { BUILT, openStudioFiles, type StudioFiles } from "../studio/files.ts";

/** The studio's files, read when somebody first asks for them. */
export interface OwnStudio {
  /** null where the studio has not been built. */
  files(): StudioFiles | null;
  /** The text of one of its documents, which the server vouches for as for the operator's own. */
  findDocument(id: string): string | undefined;
}

/**
 * @param folder of the built files
 * @returns null where the studio is off
 */
export function openOwnStudio({ STUDIO }: Config, folder = BUILT): OwnStudio | null {
  if (!STUDIO) return null;
  let opened: StudioFiles | null | undefined;
  const files = () => {
    opened ??= openStudioFiles(folder);
    return opened;
  };
  return { files, findDocument: (id) => files()?.documents.get(id) };
}
