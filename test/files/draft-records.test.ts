import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDraftRecords } from "../../src/files/draft-records.ts";
import { openFiles } from "../../src/files/open-files.ts";
import { bytesOf, openScratch, unwrap } from "./scratch.ts";

const DRAFT = `.toolgate-${"0a".repeat(12)}`;

/** Records of a gate; `living` are the other gates that run. */
const recordsOf = (stateDir: string, owner: string, living: readonly string[] = []) =>
  openDraftRecords(stateDir, { owner, isAlive: (other) => living.includes(other) });

it("deletes the drafts of gates that were killed, before a folder is listed, and no others", async () => {
  using scratch = openScratch();
  const stateDir = join(scratch.workspace, "../state");
  for (const owner of ["dead", "alive"]) {
    const path = scratch.put(`${owner}/${DRAFT}`);
    recordsOf(stateDir, owner).add(path);
  }
  const files = openFiles({ workspace: scratch.workspace, drafts: recordsOf(stateDir, "own", ["alive"]) });
  const namesIn = async (folder: string) =>
    unwrap(await files.list(await scratch.checked(folder))).entries.map(({ name }) => name);
  expect([await namesIn("dead"), await namesIn("alive")]).toEqual([[], [DRAFT]]);
  expect(readdirSync(join(stateDir, "drafts"))).toEqual(["alive.1"]);
});

it("deletes nothing else, whatever a record says, and follows no link", () => {
  using scratch = openScratch();
  const stateDir = join(scratch.workspace, "../state");
  mkdirSync(join(stateDir, "drafts"), { recursive: true });
  writeFileSync(join(scratch.outside, DRAFT), "x");
  symlinkSync(scratch.outside, join(scratch.workspace, "link"));
  const mine = scratch.put("mine.txt");
  const texts = [mine, join(scratch.workspace, "link", DRAFT), `${scratch.workspace}/../outside/${DRAFT}`, "", "x\0y"];
  for (const [n, text] of texts.entries()) writeFileSync(join(stateDir, "drafts", `dead.${n}`), text);
  recordsOf(stateDir, "own").sweep();
  expect([existsSync(mine), existsSync(join(scratch.outside, DRAFT))]).toEqual([true, true]);
  expect(readdirSync(join(stateDir, "drafts"))).toEqual([]);
});

it("a change leaves neither a draft nor a record, whether it succeeds or not", async () => {
  using scratch = openScratch();
  const stateDir = join(scratch.workspace, "../state");
  const files = openFiles({ workspace: scratch.workspace, drafts: recordsOf(stateDir, "own") });
  const path = unwrap(await files.locate("new.txt")).path;
  expect(await files.change([{ path, before: null, content: bytesOf("x") }])).toMatchObject({ ok: true });
  expect(await files.change([{ path, before: null, content: bytesOf("y") }])).toMatchObject({ ok: false });
  expect([scratch.names(), readdirSync(join(stateDir, "drafts"))]).toEqual([["new.txt"], []]);
});
