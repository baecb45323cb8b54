import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ONLY } from "../../support/running-gate.ts";
import { codeOf } from "../../support/scratch-gate.ts";

const MANAGER = `import multiprocessing
if __name__ == "__main__":
    multiprocessing.set_start_method("forkserver")
    with multiprocessing.Manager() as manager:
        shared = manager.dict()
        process = multiprocessing.Process(target=shared.update, args=({"a": 1},))
        process.start(); process.join()
        print(shared)
`;

const DIAL = `import socket, sys
client = socket.socket(socket.AF_UNIX)
try:
    client.connect(sys.argv[1])
    print("connected")
except OSError as error:
    print("refused", type(error).__name__)
`;

const SERVE = `import socket, sys, threading
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1]); server.listen()
client = socket.socket(socket.AF_UNIX); client.connect(sys.argv[1])
print("connected")
`;

needs(
  "bwrap",
  "prlimit",
  "python3",
)("unix sockets in the sandbox", () => {
  it("serve the processes of a program", async () => {
    await using scratch = openRunningGate();
    scratch.put("manager.py", MANAGER);
    scratch.put("serve.py", SERVE);
    expect(printed(await scratch.run("python3 manager.py"))).toContain("{'a': 1}");
    for (const place of ["/tmp/own.sock", "own.sock"])
      expect(printed(await scratch.run(`python3 serve.py ${place}`))).toBe("connected\n");
  });

  it.each([
    ["that the program may write", undefined],
    ["that it may read", RUN_ONLY],
  ])("of other programs are covered at every depth of a folder %s", async (_, rules) => {
    await using scratch = openRunningGate(rules);
    scratch.put("dial.py", DIAL);
    mkdirSync(join(scratch.workspace, "deep/er"), { recursive: true });
    const path = join(scratch.workspace, "deep/er/a.sock");
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const outcome = await scratch.run("python3 dial.py deep/er/a.sock");
      expect([codeOf(outcome), printed(outcome)]).toEqual(["completed", expect.stringMatching(/^refused/)]);
    } finally {
      server.close();
    }
  });
});
