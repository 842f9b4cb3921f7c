import { compareVisibility } from "./visibility.ts";

await compareVisibility(5_000);
