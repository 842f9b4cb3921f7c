import { Native } from "./parser-by-policy.ts";

if (Native !== undefined) globalThis.DOMParser = Native;
