import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** The thread in which `WriteAheadLog` has the log brought into the database file. */
const connection = new DatabaseSync((workerData as { path: string }).path, { timeout: 0 });
const checkpoint = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)");

parentPort?.on("message", (wish: "checkpoint" | "close") => {
  if (wish === "close") {
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    checkpoint.get();
    parentPort?.postMessage({ failure: null });
  } catch (error) {
    parentPort?.postMessage({ failure: { message: (error as Error).message } });
  }
});
