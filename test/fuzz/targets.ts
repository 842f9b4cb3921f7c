/** Something that reads what anybody may send. Its corpus is the folder of its name. */
export interface Target {
  readonly name: string;
  readonly kind: "request" | "messages" | "markdown" | "cursor";
  /** Whether each input is sent again, as `repeatFaults` says: queries alone. */
  readonly isRepeated?: true;
}

export const TARGETS: readonly Target[] = [
  { name: "queries", kind: "request", isRepeated: true },
  { name: "cursors", kind: "request", isRepeated: true },
  { name: "mutations", kind: "request" },
  { name: "agents", kind: "request" },
  { name: "clients", kind: "request" },
  { name: "registration", kind: "request" },
  { name: "authorize", kind: "request" },
  { name: "forms", kind: "request" },
  { name: "jwts", kind: "request" },
  { name: "pages", kind: "request" },
  { name: "web-sockets", kind: "messages" },
  { name: "markdown", kind: "markdown" },
  { name: "cursor-texts", kind: "cursor" },
];
