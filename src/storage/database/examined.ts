/** One test of a database, for operators. */
export interface Examined {
  readonly test: string;
  readonly result: "good" | "warning" | "wrong";
  /** A sentence for people. */
  readonly detail: string;
}
