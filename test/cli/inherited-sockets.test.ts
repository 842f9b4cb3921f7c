import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { takeInheritedSockets } from "../../src/cli/inherited-sockets.ts";
import { ConfigError } from "../../src/config/config.ts";

const PROCESS = { pid: 70, ppid: 60 };
const NONE = { main: [], operations: [] };

describe("K11 sockets of the one who started the program, by sd_listen_fds(3)", () => {
  test("begin with descriptor 3; the name says what they are for", () => {
    const take = (variables: Record<string, string>) => takeInheritedSockets(variables, PROCESS);
    assert.deepEqual(take({ LISTEN_PID: "70", LISTEN_FDS: "1" }), { main: [3], operations: [] });
    assert.deepEqual(take({ LISTEN_PID: "60", LISTEN_FDS: "3", LISTEN_FDNAMES: "a.socket:operations:b" }), {
      main: [3, 5],
      operations: [4],
    });
    assert.deepEqual(take({ LISTEN_PID: "70", LISTEN_FDS: "0" }), NONE);
  });

  test("are ignored without the variables, and for another process", () => {
    assert.deepEqual(takeInheritedSockets({}, PROCESS), NONE);
    assert.deepEqual(takeInheritedSockets({ LISTEN_FDS: "1" }, PROCESS), NONE);
    assert.deepEqual(takeInheritedSockets({ LISTEN_FDS: "nonsense", LISTEN_PID: "71" }, PROCESS), NONE);
  });

  test("a number that is none is an error, and no child sees the variables in any case", () => {
    for (const number of ["", "-1", "1.5", "two", "100000"]) {
      const environment = { LISTEN_PID: "70", LISTEN_FDS: number, LISTEN_FDNAMES: "a", KEPT: "yes" };
      assert.throws(() => takeInheritedSockets(environment, PROCESS), ConfigError);
      assert.deepEqual(environment, { KEPT: "yes" } as object);
    }
  });
});
