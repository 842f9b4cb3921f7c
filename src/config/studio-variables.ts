import { flag } from "./setting.ts";
import { variable } from "./variable.ts";

/** The studio: the pages where people write. */
export const STUDIO_VARIABLES = {
  STUDIO: variable(flag, "true", "Offers the studio, where people write and publish posts, at BASE_URL/studio."),
} as const;
