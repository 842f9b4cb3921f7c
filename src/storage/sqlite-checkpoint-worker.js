// Brings SQLite's write-ahead log into the database file, on a thread of its own (see sqlite-log.ts). Plain JavaScript,
// so that it is a thread's program as it lies here, in a built program and without one.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const connection = new DatabaseSync(workerData.path, { timeout: 0 });
const checkpoint = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)");

parentPort.on("message", (wish) => {
  if (wish === "close") {
    connection.close();
    parentPort.close();
    return;
  }
  try {
    checkpoint.get();
    parentPort.postMessage({ failure: null });
  } catch (error) {
    parentPort.postMessage({ failure: { message: error.message, errcode: error.errcode } });
  }
});
