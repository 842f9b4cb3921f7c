/** Whether the counts of the fault suite are the whole ones (FAULTS=full) or the short ones. */
export const isFull = process.env.FAULTS === "full";

/** How often, or for how long, a fault is tried. */
export function count(full: number, short: number): number {
  return isFull ? full : short;
}
