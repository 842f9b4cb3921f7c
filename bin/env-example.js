// Writes .env.example from the table of settings.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeEnvFile } from "../src/config/config.ts";

writeFileSync(join(import.meta.dirname, "../.env.example"), describeEnvFile());
