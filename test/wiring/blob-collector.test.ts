import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blobs as blobsCommand } from "../../src/doors/cli/blobs.ts";
import { BlobFiles } from "../../src/store/blobs/blob-files.ts";
import { CONFIG } from "../doors/cli/configs.ts";
import { invoked } from "../doors/cli/invoked.ts";
import { openCli } from "../support/run-cli.ts";
import { asKind, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const LONG = "x".repeat(1_500_000);
const HOUR = 3_600_000;

const fileOf = (stateDir: string, hash: string, project = "default") =>
  join(stateDir, "blobs", project, hash.slice(0, 2), hash);

/** As if it had been stored two hours ago. */
function age(path: string): void {
  const at = new Date(Date.now() - 2 * HOUR);
  utimesSync(path, at, at);
}

async function stored(scratch: ScratchGate, text: string, project = "default"): Promise<string> {
  const put = await new BlobFiles(scratch.stateDir).put(project, Buffer.from(text));
  if (!put.ok) throw new Error(put.fault.message);
  age(fileOf(scratch.stateDir, put.value.hash, project));
  return put.value.hash;
}

/** The blob of a result that was too long. */
async function resultBlob(scratch: ScratchGate, more = {}): Promise<string> {
  scratch.put("long.txt", LONG);
  const outcome = asKind(
    await scratch.gate.call({ tool: "read_file", input: { path: "long.txt" }, ...more }),
    "completed",
  );
  const hash = outcome.truncated?.blob ?? "";
  age(fileOf(scratch.stateDir, hash));
  return hash;
}

describe("collecting blobs", () => {
  it("removes what nothing names, of all projects, and keeps what the ledger names", async () => {
    await using scratch = openScratchGate();
    const named = await resultBlob(scratch);
    const gone = [await stored(scratch, "a"), await stored(scratch, ""), await stored(scratch, "b", "other")];
    expect(scratch.entries().at(-1)?.body["blob"]).toBe(named);
    const counts = { removed: 2 + 1, removedBytes: 2, kept: 1, keptBytes: LONG.length };
    expect(await scratch.gate.blobs.collect("look")).toEqual({ kind: "collected", ...counts });
    expect(existsSync(fileOf(scratch.stateDir, gone[0] as string))).toBe(true);
    expect(await scratch.gate.blobs.collect()).toEqual({ kind: "collected", ...counts });
    for (const hash of gone) expect(await scratch.gate.blobs.get(hash)).toMatchObject({ ok: false });
    expect(await scratch.gate.blobs.get(named)).toMatchObject({ ok: true });
    expect(scratch.entries().at(-1)).toMatchObject({
      kind: "evidence.collected",
      body: { removed: 3, removedBytes: 2 },
    });
    expect(await scratch.gate.blobs.collect()).toMatchObject({ removed: 0, kept: 1 });
    expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: true });
  });

  it("keeps what is young, and what was stored anew", async () => {
    await using scratch = openScratchGate();
    await resultBlob(scratch);
    const again = await stored(scratch, "again");
    await new BlobFiles(scratch.stateDir).put("default", Buffer.from("again"));
    await new BlobFiles(scratch.stateDir).put("default", Buffer.from("young"));
    expect(await scratch.gate.blobs.collect()).toMatchObject({ removed: 0, kept: 3 });
    expect(await scratch.gate.blobs.get(again)).toMatchObject({ ok: true });
  });

  it("removes drafts that a dead process left, and nothing that is not ours", async () => {
    await using scratch = openScratchGate();
    await resultBlob(scratch);
    const folder = join(scratch.stateDir, "blobs", "default");
    const names = [`draft-${"0".repeat(24)}`, `draft-${"1".repeat(24)}`, "notes.txt"];
    for (const name of names) writeFileSync(join(folder, name), "x");
    age(join(folder, names[0] as string));
    age(join(folder, names[2] as string));
    await scratch.gate.blobs.collect();
    expect(names.filter((name) => readdirSync(folder).includes(name))).toEqual(names.slice(1));
  });

  it("is refused where no ledger tells what is needed", async () => {
    await using scratch = openScratchGate();
    const hash = await stored(scratch, "a");
    expect(await scratch.gate.blobs.collect()).toMatchObject({
      kind: "refused",
      refusal: { code: "LEDGER_UNAVAILABLE" },
    });
    const named = await resultBlob(scratch);
    await scratch.gate.close();
    const later = scratch.again();
    rmSync(join(scratch.stateDir, "blobs"), { recursive: true });
    writeFileSync(join(scratch.stateDir, "blobs"), "");
    expect(await later.blobs.collect()).toMatchObject({ kind: "refused" });
    expect([hash, named]).toHaveLength(2);
  });

  it("keeps what an outcome names that is kept for a key, or a question", async () => {
    await using scratch = openScratchGate({
      rules: [{ id: "ask", effect: "ask", touch: { write: ["./**"] } }],
    });
    const hash = await stored(scratch, "named by a plan");
    const input = { path: "a.txt", content: `the whole: ${hash}` };
    await scratch.gate.call({ tool: "write_file", input }, { whenAsked: "return" });
    expect(await scratch.gate.blobs.collect()).toMatchObject({ removed: 0, kept: 1 });
  });
});

describe("a quota", () => {
  it("refuses what is too much, for each project by itself", async () => {
    await using scratch = openScratchGate();
    const blobs = new BlobFiles(scratch.stateDir, 10);
    const put = async (text: string, project = "default") => {
      const result = await blobs.put(project, Buffer.from(text));
      return result.ok ? "ok" : result.fault.code;
    };
    expect([await put("12345"), await put("67890"), await put(""), await put("x")]).toEqual([
      "ok",
      "ok",
      "ok",
      "STORAGE_FULL",
    ]);
    expect(await put("x", "other")).toBe("ok");
    // Also what was there before this process.
    expect((await new BlobFiles(scratch.stateDir, 10).put("default", Buffer.from("y"))).ok).toBe(false);
    const left = readdirSync(join(scratch.stateDir, "blobs", "default")).filter((name) => name.startsWith("draft"));
    expect(left).toEqual([]);
  });
});

describe("toolgate blobs gc", () => {
  it("says what it removed, in words and as JSON", async () => {
    using cli = openCli(CONFIG);
    expect(await invoked(cli, blobsCommand, ["gc"])).toMatchObject({ code: 3 });
    cli.put("a.txt", "a");
    await cli.run(["call", "read_file", '{"path":"a.txt"}']);
    const dry = await invoked(cli, blobsCommand, ["gc"], { flags: { "dry-run": true } });
    expect([dry.code, dry.out]).toEqual([0, "would remove 0 (0 bytes), kept 0 (0 bytes)\n"]);
    const json = await invoked(cli, blobsCommand, ["gc"], { flags: { json: true } });
    expect(JSON.parse(json.out)).toEqual({ dryRun: false, removed: 0, removedBytes: 0, kept: 0, keptBytes: 0 });
    await expect(invoked(cli, blobsCommand, ["gc", "x"])).rejects.toThrow("one word too many");
    await expect(invoked(cli, blobsCommand, ["put"])).rejects.toThrow("`blobs` needs a subcommand");
  });
});
