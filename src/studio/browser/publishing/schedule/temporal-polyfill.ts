// Apart, because browsers that have Temporal never load it.
export { Temporal } from "temporal-polyfill";
