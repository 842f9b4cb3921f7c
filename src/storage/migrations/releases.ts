/**
 * The newest schema that each released version of the program knows, for `rollback --to VERSION`. A test compares the last
 * row with package.json and the list of migrations.
 */
export const RELEASES: Readonly<Record<string, number>> = {
  "0.1.0": 41,
  "0.2.0": 44,
};
