/** With SLOW_TESTS the suites that `npm run test:slow` names do all they can, beside what `npm test` has done before. */
export const isSlow = process.env.SLOW_TESTS !== undefined;

/** How often a property is tried: some cases in `npm test`, many in the slow suites. */
export function runs(few: number, many: number): number {
  return isSlow ? many : few;
}
