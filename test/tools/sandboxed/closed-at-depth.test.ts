import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { isRoot, ranAs } from "../../support/as-somebody.ts";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ALL } from "../../support/running-gate.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";
import { ATTACKS, CLOSED, closedNames, named } from "./attacks-at-depth.ts";

const heldBackOf = (outcome: Outcome): readonly { readonly path: string; readonly to: string | null }[] => {
  const structured = "structured" in outcome ? outcome.structured : null;
  const detail = outcome.kind === "failed" ? outcome.error.detail : null;
  return (((structured ?? detail) as { heldBack?: unknown } | null)?.heldBack ?? []) as never;
};

needs("bwrap", "prlimit")("a name that is closed at every depth", () => {
  it.each(ATTACKS)("is taken away after the run: %s", async (_, script, made) => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    for (const path of ["sub/deep/x", "old/npmrc", "top"]) scratch.put(path, "mine");
    scratch.put("attack.sh", script);
    const outcome = await scratch.run("bash attack.sh");
    expect(codeOf(outcome)).toBe("completed");
    expect(closedNames(scratch.workspace)).toEqual([]);
    expect(
      heldBackOf(outcome)
        .map(({ path }) => named(path))
        .sort(),
    ).toEqual([...made].sort());
    expect(printed(outcome)).toContain("[toolgate: the rules let no program make this: ");
    const kept = readdirSync(join(scratch.stateDir, "held-back")).map((name) =>
      readdirSync(join(scratch.stateDir, "held-back", name)),
    );
    expect(kept.flat().sort()).toEqual(
      heldBackOf(outcome)
        .map(({ path }) => basename(path))
        .sort(),
    );
    const told = scratch.entries(outcome.callId).filter(({ kind }) => kind === "workspace.held_back");
    expect(told.flatMap(({ body }) => body["places"])).toHaveLength(made.length);
  });

  it.runIf(isRoot)("also where the gate is an ordinary user's", async () => {
    const left = await ranAs<Record<string, readonly string[]>>("an ordinary user", "attacks-at-depth.ts");
    expect(left).toEqual(Object.fromEntries(ATTACKS.map(([name]) => [name, []])));
  });

  it("stays what it was where it was there, and nothing of ours lies in the workspace while a program runs", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    for (const path of ["sub/deep/.npmrc", "sub/.git/config"]) scratch.put(path, "mine");
    scratch.put("run.sh", "find . | sort; echo x > sub/deep/.npmrc; rm sub/.git/config; mv sub/deep away");
    const outcome = await scratch.run("bash run.sh");
    const listed = [".", "./run.sh", "./sub", "./sub/.git", "./sub/.git/config", "./sub/deep", "./sub/deep/.npmrc"];
    expect(printed(outcome).split("\n").slice(0, 7)).toEqual(listed);
    expect(printed(outcome).match(/Read-only file system|resource busy/g)).toHaveLength(3);
    expect([scratch.text("sub/deep/.npmrc"), scratch.text("sub/.git/config")]).toEqual(["mine", "mine"]);
  });

  it("keeps what was taken, for a person", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    scratch.put("make.sh", "mkdir -p a/.vscode; echo precious > a/.vscode/tasks.json");
    expect(codeOf(await scratch.run("bash make.sh"))).toBe("completed");
    const [folder = ""] = readdirSync(join(scratch.stateDir, "held-back"));
    expect(readFileSync(join(scratch.stateDir, "held-back", folder, ".vscode/tasks.json"), "utf8")).toBe("precious\n");
  });

  it("is taken away of programs that fail, are ended or are cancelled", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    expect(codeOf(await scratch.run("bash -c 'mkdir a; touch a/.npmrc; exit 3'"))).toBe("TOOL_FAILED");
    const late = await scratch.run("bash -c 'mkdir b; touch b/.npmrc; echo made; sleep 600'", { timeoutMs: 3000 });
    expect([codeOf(late), printed(late).includes("`b/.npmrc`")]).toEqual(["TIMEOUT", true]);
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const input = { command: "bash -c 'mkdir c; touch c/.npmrc; echo made; sleep 600'" };
    const stopped = await scratch.gate.call({ tool: "run_command", input }, { onProgress, signal: stop.signal });
    expect(codeOf(stopped)).toBe("CANCELLED");
    expect(closedNames(scratch.workspace)).toEqual([]);
  });

  it("is not obeyed by a program that starts while the one that made it runs", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    scratch.put("make.sh", "mkdir made; echo evil > made/.npmrc; touch ready; until [ -e go ]; do sleep 0.05; done");
    const waiting = scratch.run("bash make.sh");
    await vi.waitFor(() => expect(existsSync(join(scratch.workspace, "ready"))).toBe(true), { timeout: 60_000 });
    const beside = await scratch.again().call({ tool: "run_command", input: { command: "find made" } });
    expect(printed(beside)).toBe("made\n");
    scratch.put("go");
    expect(codeOf(await waiting)).toBe("completed");
    expect(closedNames(scratch.workspace)).toEqual([]);
  });

  it("is taken away while a program runs that does not end", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    scratch.put("make.sh", "mkdir made; touch made/.npmrc ready; until [ -e go ]; do sleep 0.05; done");
    const waiting = scratch.run("bash make.sh");
    await vi.waitFor(() => expect(existsSync(join(scratch.workspace, "ready"))).toBe(true), { timeout: 60_000 });
    await vi.waitFor(() => expect(closedNames(scratch.workspace)).toEqual([]), { timeout: 60_000 });
    scratch.put("go");
    expect(heldBackOf(await waiting).map(({ path }) => path)).toEqual(["made/.npmrc"]);
  });

  it("stays where the gate itself puts it while a program runs", async () => {
    const asked = { ...CLOSED, effect: "ask", otherwise: false } as const;
    const files = { id: "files", effect: "allow", tools: ["write_file"], touch: { write: ["./mine/**"] } } as const;
    await using scratch = openRunningGate([...RUN_ALL, asked, files], {
      approver: { ask: async () => ({ kind: "approve", who: "ann" }) },
    });
    scratch.put("make.sh", "touch ready; until [ -e go ]; do sleep 0.05; done; touch mine/.vscode/other");
    const waiting = scratch.run("bash make.sh");
    await vi.waitFor(() => expect(existsSync(join(scratch.workspace, "ready"))).toBe(true), { timeout: 60_000 });
    for (const path of ["mine/.npmrc", "mine/.vscode/settings.json"])
      expect(codeOf(await scratch.gate.call({ tool: "write_file", input: { path, content: "mine" } }))).toBe(
        "completed",
      );
    scratch.put("go");
    const outcome = await waiting;
    expect(heldBackOf(outcome).map(({ path }) => path)).toEqual(["mine/.vscode/other"]);
    expect([scratch.text("mine/.npmrc"), scratch.text("mine/.vscode/settings.json")]).toEqual(["mine", "mine"]);
  });

  it("is taken away by the next gate where the one that ran the program was killed", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    scratch.put("sub/deep/.npmrc", "was there");
    scratch.put("make.sh", "mkdir made; touch made/.npmrc; echo made; sleep 600");
    await using killed = startProgram("runs-command.ts", [join(scratch.folder, "toolgate.yaml"), "bash make.sh"]);
    expect(await killed.line()).toBe("made");
    await killed.kill();
    const alarms: string[] = [];
    const next = scratch.again({ alarm: (message) => alarms.push(message) });
    await vi.waitFor(() => expect(closedNames(scratch.workspace)).toEqual(["sub/deep/.npmrc"]), { timeout: 60_000 });
    await next.close();
    expect(alarms.join()).toContain("`made/.npmrc` was moved to");
    const told = scratch.entries().filter(({ kind }) => kind === "workspace.held_back");
    expect(told.map(({ callId }) => callId)).toEqual([expect.stringMatching(/^call_/)]);
  });

  it("stays where it is a part of what git makes, and names no program", async () => {
    await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
    scratch.put(
      "go.sh",
      "git init -q new && git -C new commit -q --allow-empty -m first && git -C new worktree add -q ../tree",
    );
    expect(codeOf(await scratch.run("bash go.sh"))).toBe("completed");
    expect(existsSync(join(scratch.workspace, "new/.git/config"))).toBe(true);
    scratch.put("later.sh", "git -C new status && git -C tree log --oneline && git -C new config alias.x !evil");
    const later = await scratch.run("bash later.sh");
    expect(printed(later)).toContain("nothing to commit");
    expect(codeOf(later)).toBe("TOOL_FAILED");
  });
});
