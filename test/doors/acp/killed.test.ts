import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { bundledProgram } from "../../support/bundled-program.ts";
import { needs } from "../../support/parts.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process of this machine has a command line that ends like this. bubblewrap's own begins with its path. */
const isRunning = (...words: readonly string[]): boolean =>
  readdirSync("/proc").some((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1) : [];
      return !line[0]?.endsWith("bwrap") && line.slice(-words.length).join("\0") === words.join("\0");
    } catch {
      return false; // it has ended meanwhile
    }
  });

needs("bwrap")("toolgate acp that is killed", () => {
  it("leaves no process of the agent, calls whose end is unknown, and a private folder that the next start removes", async () => {
    const rules = [{ id: "sleep", effect: "allow" as const, touch: { exec: ["sleep **"] } }];
    await using scratch = openScratchGate({ rules, config: { tools: { builtin: ["shell"] } } });
    const agent = `killed-agent-${process.pid}.mjs`;
    scratch.put(agent, await bundledProgram("acp-agent.ts"));
    const config = `${scratch.folder}/toolgate.yaml`;
    const door = spawn(process.execPath, [BUILT_PROGRAM, "acp", "--config", config, "--", "node", agent], {
      cwd: scratch.workspace,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const gone = new Promise<void>((resolve) => door.once("exit", () => resolve()));
    const lines: string[] = [];
    createInterface({ input: door.stdout }).on("line", (line) => lines.push(line));
    const say = (id: number, method: string, params: object) =>
      door.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    say(1, "initialize", { protocolVersion: 1 });
    await until(() => lines.length > 0);
    say(2, "session/new", { cwd: scratch.workspace, mcpServers: [] });
    await until(() => lines.some((line) => line.includes("session-1")));
    // A length of its own: another run of this test may be under way on this machine.
    const seconds = String(1_000_000 + process.pid);
    const steps = [{ ask: ["terminal/create", { command: `sleep ${seconds}` }] }];
    say(3, "session/prompt", { sessionId: "session-1", prompt: [{ type: "text", text: JSON.stringify(steps) }] });
    await until(() => isRunning("sleep", seconds) || isRunning("/usr/bin/sleep", seconds));
    door.kill("SIGKILL");
    await gone;
    await until(() => !isRunning(seconds) && !isRunning(agent));
    await scratch.again().begin();
    expect(scratch.rows()).toMatchObject([{ tool: "run_command", state: "unknown" }]);

    const abandoned = () => readdirSync(tmpdir()).filter((name) => name.startsWith("toolgate-way-"));
    expect(abandoned()).toHaveLength(1);
    await promisify(execFile)(process.execPath, [BUILT_PROGRAM, "doctor", "--config", config]).catch(
      () => "not all holds",
    );
    expect(abandoned()).toEqual([]);
  });
});
