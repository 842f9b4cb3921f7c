import { compareVisibility } from "./visibility.ts";

await compareVisibility(400);
