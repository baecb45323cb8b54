import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed } from "../../support/running-gate.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";

const IDENTITY = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];

needs(
  "bwrap",
  "prlimit",
  "npm",
  "python3",
  "git",
  "make",
  "gcc",
)("real work under the default limits", () => {
  it("npm test of a small project", async () => {
    await using scratch = openRunningGate();
    scratch.put("package.json", JSON.stringify({ name: "small", scripts: { test: "node --test" } }));
    scratch.put(
      "sum.test.js",
      `const { test } = require("node:test"); const assert = require("node:assert"); const http = require("node:http");
       test("adds", () => assert.equal(1 + 1, 2));
       test("serves", async () => {
         const server = http.createServer((_, res) => res.end("hi")).listen(0, "localhost");
         await new Promise((resolve) => server.once("listening", resolve));
         const body = await (await fetch("http://localhost:" + server.address().port)).text();
         assert.equal(body, "hi"); server.close();
       });`,
    );
    const outcome = await scratch.run("npm test");
    expect([codeOf(outcome), printed(outcome)]).toEqual(["completed", expect.stringMatching(/pass 2/)]);
  });

  it("a Python script", async () => {
    await using scratch = openRunningGate();
    scratch.put(
      "work.py",
      "import json, tempfile, subprocess, threading\nt = tempfile.mkdtemp()\nopen(t + '/x', 'w').write('y')\nprint(subprocess.check_output(['echo', json.dumps({'a': 1})]).decode())\n",
    );
    expect(printed(await scratch.run("python3 work.py"))).toContain('{"a": 1}');
  });

  it("make with gcc", async () => {
    await using scratch = openRunningGate();
    scratch.put("main.c", '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n');
    scratch.put("Makefile", "main: main.c\n\tgcc -O2 -o main main.c\n");
    const outcome = await scratch.run("make -j4 && ./main");
    expect([codeOf(outcome), printed(outcome)]).toEqual(["completed", expect.stringContaining("built")]);
  });

  it("git clone of a local repository, by the shell and by the tool", async () => {
    await using scratch = openRunningGate();
    const source = join(scratch.workspace, "source");
    scratch.put("source/a.txt", "tracked");
    execFileSync("git", ["init", "-q", source]);
    execFileSync("git", ["-C", source, "add", "."]);
    execFileSync("git", ["-C", source, ...IDENTITY, "commit", "-qm", "first"]);
    expect(codeOf(await scratch.run("git clone -q source copy && cat copy/a.txt"))).toBe("completed");
    expect(scratch.text("copy/a.txt")).toBe("tracked");
    const cloned = await scratch.gate.call({ tool: "git", input: { operation: "CLONE", args: ["source", "other"] } });
    expect([codeOf(cloned), scratch.text("other/a.txt")]).toEqual(["completed", "tracked"]);
  });

  it.each([
    ["LIMIT_MEMORY", "x = bytearray(4 << 30)"],
    ["LIMIT_PROCESSES", "import os, time\nfor i in range(2000):\n  if os.fork() == 0: time.sleep(60)"],
    ["LIMIT_FSIZE", "f = open('big', 'wb')\nfor i in range(2000): f.write(bytes(1 << 20))"],
    [
      "LIMIT_DISK",
      "for i in range(4):\n  f = open('/tmp/%d' % i, 'wb')\n  for j in range(400): f.write(bytes(1 << 20))",
    ],
  ])("%s (A20, F28)", async (code, script) => {
    await using scratch = openRunningGate();
    scratch.put("bomb.py", script);
    const outcome = asKind(await scratch.run("python3 bomb.py", { timeoutMs: 120_000 }), "failed");
    expect([outcome.error.code, printed(outcome)]).toEqual([code, expect.anything()]);
    expect(codeOf(await scratch.run("echo next"))).toBe("completed");
  });
});
