import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRoot } from "../support/as-somebody.ts";
import { needs } from "../support/parts.ts";
import { openRunningGate, printed, RUN_ONLY, type RunningGate } from "../support/running-gate.ts";
import { codeOf } from "../support/scratch-gate.ts";

const OWNER = 65_534;

/** A gate of root on a workspace that belongs to an ordinary user. */
function openOwnedGate(...parts: Parameters<typeof openRunningGate>): RunningGate {
  const scratch = openRunningGate(...parts);
  chmodSync(scratch.folder, 0o755);
  chownSync(scratch.workspace, OWNER, OWNER);
  return scratch;
}

needs("bwrap", "prlimit")("where the gate is root", () => {
  it.skipIf(!isRoot)(
    "tools work in a workspace below a closed home of root, and programs have no capability",
    async () => {
      const before = process.env["TMPDIR"];
      const home = mkdtempSync("/root/toolgate-root-");
      process.env["TMPDIR"] = home;
      try {
        await using scratch = openRunningGate();
        scratch.put("a.txt", "needle\n");
        const outcome = await scratch.run("id -u; grep CapEff /proc/self/status; echo x > new.txt && cat new.txt");
        expect([codeOf(outcome), printed(outcome)]).toEqual([
          "completed",
          expect.stringMatching(/^0\nCapEff:\t0+\nx\n/),
        ]);
        expect(outcome).toMatchObject({ sandbox: { user: "root" } });
        const found = await scratch.gate.call({ tool: "search_files", input: { query: "needle" } });
        expect([codeOf(found), printed(found)]).toEqual(["completed", expect.stringContaining("a.txt:1: needle")]);
        scratch.put("look.sh", "cat /etc/shadow || ls /home || ls /root/.ssh");
        expect(codeOf(await scratch.run("sh look.sh"))).toBe("TOOL_FAILED");
      } finally {
        process.env["TMPDIR"] = before ?? "/tmp";
        rmSync(home, { recursive: true, force: true });
      }
    },
  );

  it.skipIf(!isRoot)("programs run as the workspace's owner, and what they leave is the owner's", async () => {
    await using scratch = openOwnedGate();
    const outcome = await scratch.run(
      "id -u; id -G; mkdir made && echo x > made/new.txt; echo /dev/stdin | cat; cat < /dev/null",
    );
    expect([codeOf(outcome), printed(outcome)]).toEqual([
      "completed",
      expect.stringContaining(`${OWNER}\n${OWNER}\n/dev/stdin\n`),
    ]);
    expect(outcome).toMatchObject({ sandbox: { user: "switched" } });
    for (const path of ["made", "made/new.txt"]) expect(statSync(join(scratch.workspace, path)).uid).toBe(OWNER);
  });

  it.skipIf(!isRoot)("a file that the grant names and that is not there yet can be written", async () => {
    const rules = RUN_ONLY.map((rule) => ({ ...rule, grant: { write: ["./new.txt"] } }));
    await using scratch = openOwnedGate(rules);
    expect(codeOf(await scratch.run("echo x > new.txt"))).toBe("completed");
    expect([scratch.text("new.txt"), statSync(join(scratch.workspace, "new.txt")).uid]).toEqual(["x\n", OWNER]);
  });

  it.skipIf(!isRoot)("a program with a way to the network reaches the gate's proxy", async () => {
    const server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const grant = { connect: [`127.0.0.1:${port}`] };
      await using scratch = openOwnedGate([{ id: "curl", effect: "allow", touch: { exec: ["curl **"] }, grant }]);
      expect(printed(await scratch.run(`curl -sS http://127.0.0.1:${port}/`))).toBe("reached");
    } finally {
      server.close();
    }
  });

  it.skipIf(!isRoot)("programs can change what file tools have made", async () => {
    await using scratch = openOwnedGate();
    const input = { path: "deep/er/a.txt", content: "one\n" };
    expect(codeOf(await scratch.gate.call({ tool: "write_file", input }))).toBe("completed");
    expect(codeOf(await scratch.run("echo two >> deep/er/a.txt && touch deep/er/b.txt"))).toBe("completed");
    expect(scratch.text("deep/er/a.txt")).toBe("one\ntwo\n");
  });

  it.skipIf(!isRoot)("a workspace that its owner can't enter is refused, and the hint names what to do", async () => {
    await using scratch = openOwnedGate();
    chmodSync(scratch.folder, 0o700);
    const outcome = await scratch.run("true");
    expect(codeOf(outcome)).toBe("ROOT_REFUSED");
    expect(JSON.stringify(outcome)).toContain("chmod o+x");
    chmodSync(scratch.folder, 0o711);
    expect(codeOf(await scratch.run("true"))).toBe("completed");
  });
});
