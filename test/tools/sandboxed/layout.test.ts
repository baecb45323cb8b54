import { readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { type Grant, NO_GRANT } from "../../../src/domain/plan.ts";
import type { Touch } from "../../../src/domain/touch.ts";
import { openTrees } from "../../../src/files/open-trees.ts";
import type { Mount } from "../../../src/ports/sandbox.ts";
import { type Layout, layout } from "../../../src/tools/sandboxed/layout.ts";
import { openScratch, type Scratch, unwrap } from "../../files/scratch.ts";
import { layoutParts, SOME_PROGRAM } from "./running-ports.ts";

async function laid(
  scratch: Scratch,
  grant: Partial<Grant>,
  touches: readonly Touch[] = [],
  trees = openTrees(),
): Promise<Layout> {
  const plan = { workspace: scratch.workspace, touches };
  const parts = { ...layoutParts(scratch.files, trees), stateDir: join(scratch.workspace, ".toolgate") };
  return unwrap(await layout({ grant: { ...NO_GRANT, ...grant }, plan, name: SOME_PROGRAM }, parts));
}

/** A mount in few words: `write .`, `hidden .env`, `kept-read .git/hooks`. */
const inWords = ({ workspace }: Scratch, mounts: readonly Mount[]): readonly string[] =>
  mounts.map((mount) => {
    const path = "held" in mount ? mount.held.path : mount.path;
    const shown = path === workspace ? "." : path.slice(workspace.length + 1);
    if (mount.kind === "held") return `${mount.access} ${shown}`;
    return mount.kind === "kept" ? `kept-${mount.access} ${shown}` : `${mount.kind} ${shown}`;
  });

it.each<[string, Partial<Grant>, readonly string[]]>([
  ["nothing", {}, []],
  ["a tree", { read: ["./**"] }, ["read ."]],
  ["one file", { read: ["./a.txt"] }, ["read a.txt"]],
  ["what wildcards match now", { read: ["./*.txt"] }, ["read a.txt", "read b.txt"]],
  ["what is not there", { read: ["./nosuch/**"] }, []],
  ["a part to be written", { read: ["./**"], write: ["./sub/**"] }, ["read .", "write sub"]],
  ["what is written is not read-only as well", { read: ["./sub/**"], write: ["./**"] }, ["write ."]],
  ["a hidden file is not there by name either", { read: ["./a.txt"], hide: ["./a.txt"] }, []],
  ["a file that must stay", { write: ["./a.txt"], readOnly: ["./a.txt"] }, ["read a.txt"]],
])("%s", async (_, grant, expected) => {
  using scratch = openScratch();
  for (const path of ["a.txt", "b.txt", "sub/c.txt"]) scratch.put(path);
  await using view = await laid(scratch, grant);
  expect(inWords(scratch, view.mounts)).toEqual(expected);
});

it("the gate's own state seems to be empty, and what else is hidden can't be looked into", async () => {
  using scratch = openScratch();
  for (const path of [".toolgate/ledger.key", "keys/a", "sub/.toolgate/a"]) scratch.put(path);
  const hide = ["./**/.toolgate/**", "./keys/**"];
  for (const grant of [
    { read: ["./**"], hide },
    { write: ["./**"], hide },
  ]) {
    await using view = await laid(scratch, grant);
    const hidden = view.mounts.flatMap((mount) => (mount.kind === "hidden" ? [[basename(mount.path), mount.as]] : []));
    expect(hidden).toEqual([
      [".toolgate", "empty"],
      ["keys", "directory"],
      [".toolgate", "directory"],
    ]);
  }
});

it("covers what is closed in what is granted, and holds what lies over it in its place", async () => {
  using scratch = openScratch();
  for (const path of [".env", "a/b/.git/hooks/x", "a/b/.git/HEAD", "keys/k"]) scratch.put(path);
  const closed = { hide: ["./.env", "./keys/**"], readOnly: ["./**/.git/hooks/**"] };
  await using view = await laid(scratch, { write: ["./**"], ...closed });
  expect(inWords(scratch, view.mounts)).toEqual([
    "write .",
    ...["kept-write a", "hidden .env", "hidden keys"],
    ...["kept-write a/b", "kept-write a/b/.git", "kept-read a/b/.git/hooks"],
  ]);
  // What can't be written needs no cover against writing.
  await using read = await laid(scratch, { read: ["./**"], ...closed });
  expect(inWords(scratch, read.mounts)).toEqual(["read .", "hidden .env", "hidden keys"]);
});

it("starts nothing where a grant can't be looked through", async () => {
  using scratch = openScratch();
  const many = Array.from(
    { length: LIMITS.walkEntries.maximum + 1 },
    (_, n) => ({ name: `${n}`, kind: "other" }) as const,
  );
  const trees = { ...openTrees(), list: () => ({ content: many, stamp: null }) };
  const plan = { workspace: scratch.workspace, touches: [] };
  const grant = { ...NO_GRANT, read: ["./*.txt"] };
  const refused = await layout({ grant, plan, name: SOME_PROGRAM }, layoutParts(scratch.files, trees));
  expect(refused).toMatchObject({
    ok: false,
    fault: { code: "FILE_TOO_LARGE", message: expect.stringContaining("`./*.txt`") },
  });
});

it("keeps the folder of a link as it is, since a link can't be covered, and what it leads to", async () => {
  using scratch = openScratch();
  scratch.put("a/plain");
  scratch.put("hooks/x");
  symlinkSync("../hooks", join(scratch.workspace, "a/hooks"));
  await using view = await laid(scratch, { write: ["./**"], readOnly: ["./a/hooks/**"] });
  expect(inWords(scratch, view.mounts)).toEqual(["write .", "kept-read a", "kept-read hooks"]);
});

it("makes nothing in the workspace where a closed name is missing", async () => {
  using scratch = openScratch();
  scratch.put(".git/HEAD");
  await using view = await laid(scratch, { write: ["./**"], readOnly: ["./.git/hooks/**", "./**/.npmrc"] });
  expect(inWords(scratch, view.mounts)).toEqual(["write ."]);
  expect([scratch.names(), readdirSync(join(scratch.workspace, ".git"))]).toEqual([[".git"], ["HEAD"]]);
});

it("keeps a folder as it is that can't be listed, since a program could open it to itself", async () => {
  using scratch = openScratch();
  scratch.put("a/locked/.npmrc");
  const trees = openTrees();
  const locked = join(scratch.workspace, "a/locked");
  const listed: typeof trees.list = (folder) =>
    folder === locked ? { content: "unreadable", stamp: null } : trees.list(folder);
  const grant = { write: ["./**"], readOnly: ["./**/.npmrc"] };
  await using view = await laid(scratch, grant, [], { ...trees, list: listed });
  expect(inWords(scratch, view.mounts)).toEqual(["write .", "kept-write a", "kept-read a/locked"]);
});

it("makes a file that the shell is going to write, and takes it away where nobody wrote it", async () => {
  using scratch = openScratch();
  const touch = { kind: "write", path: join(scratch.workspace, "new.txt") } as const;
  const view = await laid(scratch, {}, [touch, { kind: "read", path: join(scratch.workspace, "nosuch") }]);
  expect(inWords(scratch, view.mounts)).toEqual(["write new.txt"]);
  await view[Symbol.asyncDispose]();
  expect(scratch.names()).toEqual([]);
  const written = await laid(scratch, {}, [touch]);
  scratch.put("new.txt", "content");
  await written[Symbol.asyncDispose]();
  expect(scratch.text("new.txt")).toBe("content");
});
