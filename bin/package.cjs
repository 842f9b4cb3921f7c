#!/usr/bin/env node
// Starts the program of the package (bin/package.js). In words that any Node reads: an old one must say that it is too old.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 24 || (parts[0] === 24 && parts[1] < 15)) {
  console.error(`content-api needs Node 24.15 or newer. This is Node ${process.versions.node}.`);
  process.exit(1);
}
var args = process.argv.slice(2);
if (args.length === 0) args.push("serve");
void import("./run.js").then((start) => {
  start.startAgainAsServer(args);
  start.endWithNpm();
  return start.run(require("node:path").join(__dirname, "../dist/program/main.js"), args);
});
