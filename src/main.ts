export async function run(argv: readonly string[]) {
  console.log(argv, process.version);
}
