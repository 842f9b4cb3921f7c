/** The person pressed Ctrl-C at a question: nothing was done, and the exit code is 130 as for SIGINT. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
