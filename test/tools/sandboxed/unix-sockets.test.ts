import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
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

/** Hands its own stdout to another program, as a descriptor that is no end of the pipe. */
const HAND_ON = `import array, os, socket, time
open("begun", "w")
client = socket.socket(socket.AF_UNIX)
while True:
    try:
        client.connect("shared.sock")
        break
    except OSError:
        time.sleep(0.01)
held = os.open("/proc/self/fd/1", os.O_PATH)
client.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [held]))])
client.recv(1)
`;

/** Tries to open what it was handed, for as long as it runs. */
const TRY_LATER = `import array, os, socket, time
server = socket.socket(socket.AF_UNIX)
server.bind("shared.sock"); server.listen()
client, _ = server.accept()
_, ancillary, _, _ = client.recvmsg(1, socket.CMSG_SPACE(4))
held = array.array("i", ancillary[0][2])[0]
client.send(b"x"); client.close()
while not os.path.exists("over"):
    time.sleep(0.005)
opened = 0
while not os.path.exists("stop"):
    try:
        os.close(os.open(f"/proc/self/fd/{held}", os.O_WRONLY | os.O_NONBLOCK))
        opened += 1
    except OSError:
        pass
    open("tried", "w").close()
    time.sleep(0.005)
print("opened" if opened > 0 else "nothing")
`;

/** Hands the workspace, as it may write it, to a program that may only read it. */
const HAND_FOLDER_ON = `import array, os, socket, time
server = socket.socket(socket.AF_UNIX)
while not os.path.exists("waiting"):
    time.sleep(0.01)
server.bind("shared.sock"); server.listen()
client, _ = server.accept()
client.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open(".", os.O_RDONLY)]))])
client.recv(1)
os.unlink("shared.sock")
`;

/** Makes a closed file by what it was handed, after the other program's end. */
const MAKE_LATER = `#!/usr/bin/python3
import array, os, socket, time
client = socket.socket(socket.AF_UNIX)
while True:
    print("waiting " * 1000, flush=True)
    try:
        client.connect("shared.sock")
        break
    except OSError:
        time.sleep(0.01)
_, ancillary, _, _ = client.recvmsg(1, socket.CMSG_SPACE(4))
client.send(b"x"); client.close()
while not os.path.exists("over"):
    time.sleep(0.01)
held = array.array("i", ancillary[0][2])[0]
os.close(os.open(".npmrc", os.O_CREAT | os.O_WRONLY, dir_fd=held))
print("made")
`;

/** `later.py` may read the workspace, and all others may write it. */
const READER_AND_WRITER: readonly RuleSource[] = [
  {
    ...{ id: "reader", effect: "allow", dynamic: true, grant: { read: ["./**"] } },
    touch: { exec: ["./later.py"], read: ["/**"], unknown: true },
  },
  {
    ...{ id: "writer", effect: "allow", dynamic: true, grant: { write: ["./**"] } },
    touch: { exec: ["python3 first.py"], read: ["/**"], unknown: true },
  },
  { id: "closed", effect: "deny", touch: { write: ["./**/.npmrc"] }, because: "settings" },
];

/** Runs until the other program has tried at least once. */
const OUTLAST_TRY = "for i in 1 2; do rm -f tried; until [ -e tried ]; do sleep 0.01; done; done; echo own";

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

  it("do not lead a program to the pipes of a later one", async () => {
    await using scratch = openRunningGate();
    scratch.put("hand-on.py", HAND_ON);
    scratch.put("try-later.py", TRY_LATER);
    const first = scratch.run("python3 hand-on.py");
    await vi.waitUntil(() => existsSync(join(scratch.workspace, "begun")), { timeout: 20_000 });
    const trying = scratch.run("python3 try-later.py");
    await first;
    scratch.put("over");
    await vi.waitUntil(() => existsSync(join(scratch.workspace, "tried")), { timeout: 20_000 });
    for (let i = 0; i < 4; i++) expect(printed(await scratch.run(OUTLAST_TRY))).toBe("own\n");
    scratch.put("stop");
    expect(printed(await trying)).toBe("nothing\n");
  });

  it("leave nothing at a closed place that a program made with a folder of one that has ended", async () => {
    await using scratch = openRunningGate(READER_AND_WRITER);
    scratch.put("first.py", HAND_FOLDER_ON);
    scratch.put("later.py", MAKE_LATER);
    chmodSync(join(scratch.workspace, "later.py"), 0o755);
    let isWaiting = false;
    const onProgress = () => {
      isWaiting = true;
    };
    const later = scratch.gate.call({ tool: "run_command", input: { command: "./later.py" } }, { onProgress });
    const first = scratch.run("python3 first.py");
    await vi.waitUntil(() => isWaiting, { timeout: 20_000 });
    scratch.put("waiting");
    expect(codeOf(await first)).toBe("completed");
    scratch.put("over");
    expect(printed(await later)).toContain("made");
    expect(existsSync(join(scratch.workspace, ".npmrc"))).toBe(false);
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
