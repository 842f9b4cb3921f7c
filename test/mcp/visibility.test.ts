import { compareVisibility } from "./visibility.ts";

await compareVisibility(1_000);
