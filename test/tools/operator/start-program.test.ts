import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GIT_PATTERNS, PROTECTED_PATTERNS } from "../../../src/config/protected-paths.ts";
import { startProgram } from "../../../src/tools/operator/start-program.ts";
import { factsFor } from "../../rules/sample-facts.ts";
import { needs } from "../../support/parts.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { type GovernorScratch, openGovernorScratch } from "../governor/governor-ports.ts";

const CLOSED = { id: "closed", effect: "deny", touch: { write: ["./closed"] } } as const;

const program = ({ workspace }: GovernorScratch, connect: readonly string[] = []) => ({
  ...{ command: "/bin/bash", args: ["-c", "cat; echo x > closed; echo made"], cwd: workspace, env: {} },
  ...{ grant: { read: [], write: ["./**"], connect }, facts: factsFor("t"), stdin: "asked\n", termGraceMs: 0 },
});

const isMade = ({ workspace }: GovernorScratch): boolean => existsSync(join(workspace, "closed"));
/** Programs that the state directory knows to be running. */
const recorded = ({ workspace }: GovernorScratch): number => {
  const folder = join(workspace, ".toolgate/programs");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".program")).length : 0;
};

needs("bwrap")("a program of the operator's", () => {
  it("is told before it starts, and leaves nothing behind", async () => {
    using scratch = openGovernorScratch([CLOSED]);
    const told: object[] = [];
    const started = await startProgram<never>(
      program(scratch),
      scratch.parts,
      async (start) => {
        told.push(start);
        return null;
      },
      NEVER,
    );
    if ("code" in started) throw new Error(started.message);
    expect(told).toEqual([{ argv: started.argv, grant: started.grant }]);
    const output = Buffer.concat(await Array.fromAsync(started.program.output)).toString();
    expect(output).toBe("asked\nmade\n");
    expect(await started.program.ended).toMatchObject({ kind: "exited", exitCode: 0 });
    expect([isMade(scratch), recorded(scratch)]).toEqual([false, 0]);
  });

  it("is not started where it must not be, and what was laid out for it is gone", async () => {
    using scratch = openGovernorScratch([CLOSED]);
    const fault = { code: "LEDGER_UNAVAILABLE" } as const;
    const sandbox = { ...scratch.parts.sandbox, start: () => expect.unreachable() };
    const started = await startProgram(
      program(scratch),
      { ...scratch.parts, sandbox },
      async () => {
        expect(recorded(scratch)).toBe(1);
        return fault;
      },
      NEVER,
    );
    expect(started).toBe(fault);
    expect(recorded(scratch)).toBe(0);
  });

  it("is not started without the way out that it was granted", async () => {
    using scratch = openGovernorScratch([CLOSED]);
    const network = { open: () => Promise.reject(new Error("no way")) };
    const starting = startProgram<never>(
      program(scratch, ["a.example:443"]),
      { ...scratch.parts, network },
      async () => null,
      NEVER,
    );
    await expect(starting).rejects.toThrow("no way");
    expect(recorded(scratch)).toBe(0);
  });

  const MACHINERY = {
    id: "machinery",
    effect: "deny",
    touch: { write: PROTECTED_PATTERNS, delete: PROTECTED_PATTERNS },
  };
  const REPOSITORIES = {
    ...{ id: "repositories", effect: "deny", containment: ["process", "upstream", "client"] },
    touch: { write: GIT_PATTERNS, delete: GIT_PATTERNS },
  };
  const COMMIT = { id: "git", effect: "allow", touch: { git: ["COMMIT"] } };

  it.each([
    ["with a rule for git", [COMMIT], "committed\n"],
    ["without a rule for git", [], ""],
  ])("commits %s, and never changes hooks or the configuration", async (_, more, said) => {
    using scratch = openGovernorScratch([MACHINERY, REPOSITORIES, ...more] as never);
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", scratch.workspace, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    scratch.put("a.txt", "one");
    const script = [
      "git add a.txt && git -c user.name=A -c user.email=a@b.c commit -qm second && git stash list && echo committed",
      "echo evil > .git/hooks/post-commit; echo evil >> .git/config; rm -r .git/hooks; mv .git moved",
    ];
    const started = await startProgram<never>(
      {
        ...program(scratch),
        args: ["-c", `${script.join("\n")}`],
        facts: { ...factsFor("t"), containment: "upstream" },
      },
      scratch.parts,
      async () => null,
      NEVER,
    );
    if ("code" in started) throw new Error(started.message);
    expect(Buffer.concat(await Array.fromAsync(started.program.output)).toString()).toBe(said);
    await started.program.ended;
    expect(git("log", "--format=%s").toString()).toBe(said === "" ? "first\n" : "second\nfirst\n");
    expect(existsSync(join(scratch.workspace, ".git/hooks/post-commit"))).toBe(false);
    expect(readFileSync(join(scratch.workspace, ".git/config"), "utf8")).not.toContain("evil");
  });
});
