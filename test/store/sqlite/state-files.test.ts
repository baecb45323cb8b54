import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { foreignStateFile } from "../../../src/store/sqlite/state-files.ts";
import { openGateIn } from "./hostile-state.ts";

/** A state directory may have come with a repository. Whatever is in it, nothing outside of it changes, and nothing hangs. */
describe("a state directory that somebody else filled", () => {
  const FILES = ["journal.db", "journal.db-wal", "journal.db-shm", "checkpoints.jsonl", "ledger.key", "ledger.pub"];

  it.each(FILES)("with a link for %s is refused, and the link's target stays as it is", async (name) => {
    using scratch = openGateIn();
    const target = join(scratch.folder, ".bash_profile");
    symlinkSync(target, join(scratch.stateDir, name));
    expect(foreignStateFile(scratch.stateDir)).toBe(name);
    expect(await scratch.call()).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect((await scratch.verify()).ok).toBe(false);
    expect(existsSync(target)).toBe(false);
  });

  it.each(FILES)("with a pipe for %s is refused at once", async (name) => {
    using scratch = openGateIn();
    spawnSync("mkfifo", [join(scratch.stateDir, name)]);
    expect(await scratch.call()).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect((await scratch.verify()).ok).toBe(false);
  });

  it("with a link for the owners' folder removes no lock file elsewhere", async () => {
    using scratch = openGateIn();
    const lock = join(scratch.folder, "yarn.lock");
    writeFileSync(lock, "x");
    symlinkSync("..", join(scratch.stateDir, "owners"));
    expect(await scratch.call()).toMatchObject({ kind: "refused" });
    expect(readFileSync(lock, "utf8")).toBe("x");
  });

  it("with files of others among the owners' leaves them alone", async () => {
    using scratch = openGateIn();
    mkdirSync(join(scratch.stateDir, "owners"));
    const other = join(scratch.stateDir, "owners", "not ours!.lock");
    writeFileSync(other, "x");
    expect(await scratch.call()).toMatchObject({ kind: "completed" });
    expect(existsSync(other)).toBe(true);
  });

  it("with a trigger that keeps entries out of the ledger runs nothing", async () => {
    using scratch = openGateIn();
    await scratch.call();
    using db = new DatabaseSync(join(scratch.stateDir, "journal.db"));
    db.exec("CREATE TRIGGER t BEFORE INSERT ON segments BEGIN SELECT RAISE(IGNORE); END");
    expect(await scratch.call()).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(scratch.runs()).toBe(1);
  });

  it("with a checkpoint that nobody signed does not write it into the file", async () => {
    using scratch = openGateIn();
    await scratch.call();
    await scratch.call();
    {
      using db = new DatabaseSync(join(scratch.stateDir, "journal.db"));
      db.exec("UPDATE checkpoints SET text = 'echo pwned' WHERE size = (SELECT min(size) FROM checkpoints)");
    }
    const file = join(scratch.stateDir, "checkpoints.jsonl");
    writeFileSync(file, "");
    await scratch.call();
    expect(readFileSync(file, "utf8")).not.toContain("pwned");
    expect((await scratch.verify()).ok).toBe(false);
  });
});
