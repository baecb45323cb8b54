import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place, placeAround, sweepDrafts, unplace } from "../../src/files/placeholders.ts";
import { startProgram } from "../support/started-program.ts";
import { openScratch } from "./scratch.ts";

const placedAt = (path: string) => {
  const placed = place(path);
  if (placed === null) throw new Error(`nothing was placed at ${path}`);
  return placed;
};

it("is there until the last who needs it has gone", () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, ".npmrc");
  const [first, second] = [placedAt(path), placedAt(path)];
  unplace(first);
  expect(readdirSync(path)).toHaveLength(1);
  unplace(second);
  expect(existsSync(path)).toBe(false);
  unplace(second);
});

it("takes the place of nothing that is there, and of nothing that can't be there", () => {
  using scratch = openScratch();
  scratch.put("file");
  scratch.put("folder/x");
  mkdirSync(join(scratch.workspace, "empty"));
  symlinkSync("empty", join(scratch.workspace, "link"));
  for (const name of ["file", "folder", "link", "nosuch/x", "file/x"])
    expect([name, place(join(scratch.workspace, name))]).toEqual([name, null]);
  expect(readdirSync(scratch.workspace).sort()).toEqual(["empty", "file", "folder", "link"]);
});

it("holds an empty folder of somebody else, and leaves it there", () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, "empty");
  mkdirSync(path);
  const [first, second] = [placedAt(path), placedAt(path)];
  unplace(first);
  unplace(second);
  // The second one could not know that it was not put there.
  mkdirSync(path, { recursive: true });
  const only = placedAt(path);
  unplace(only);
  expect(readdirSync(path)).toEqual([]);
});

it("comes with its claim, so that two at once never see it without one", () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, "x");
  const placed = placedAt(path);
  expect(readdirSync(scratch.workspace)).toEqual(["x"]);
  expect(readdirSync(path)).toEqual([placed.claim.slice(path.length + 1)]);
  unplace(placed);
  expect(readdirSync(scratch.workspace)).toEqual([]);
});

it("around others is shared whatever lies in it, and goes when it is empty", () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, "around");
  const [first, second] = [placeAround(path), placeAround(path)];
  if (first === null || second === null) throw new Error("nothing was placed");
  scratch.put("around/theirs");
  expect(placeAround(path)).not.toBeNull();
  unplace(first);
  unplace(second);
  expect(readdirSync(path)).toContain("theirs");
  // One that nobody has claimed is somebody's own, with or without anything in it.
  scratch.put("own/x");
  mkdirSync(join(scratch.workspace, "empty"));
  expect([placeAround(join(scratch.workspace, "own")), placeAround(join(scratch.workspace, "empty"))]).toEqual([
    null,
    null,
  ]);
});

it("stays where somebody put something there, or something else", () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, "x");
  const placed = placedAt(path);
  scratch.put("x/theirs");
  unplace(placed);
  expect(readdirSync(path)).toEqual(["theirs"]);
  const other = join(scratch.workspace, "y");
  const moved = placedAt(other);
  // Made before the first one goes: a number that is free again may be given to the next folder.
  mkdirSync(join(scratch.workspace, "theirs"));
  rmdirSync(moved.claim);
  rmdirSync(other);
  renameSync(join(scratch.workspace, "theirs"), other);
  unplace(moved);
  expect(readdirSync(scratch.workspace)).toContain("y");
});

it("of a process that was killed goes with the next who needs it; of one that lives it stays", async () => {
  using scratch = openScratch();
  const path = join(scratch.workspace, ".npmrc");
  const program = startProgram("holds-placeholder.ts", [path]);
  expect(await program.line()).toBe("placed");
  unplace(placedAt(path));
  expect(readdirSync(path)).toHaveLength(1);
  await program.kill();
  unplace(placedAt(path));
  expect(existsSync(path)).toBe(false);
});

it("that had no name yet goes as well when its process was killed, and stays while that lives or holds something", () => {
  using scratch = openScratch();
  const own = placedAt(join(scratch.workspace, "x")).claim.replace(/^.*\//, "");
  const [, namespace] = own.split("-");
  const gone = `.toolgate-${namespace}-4194305-1`;
  const drafts = [`${own}-draft/${own}`, `${gone}-1-draft/${gone}-1`, `${gone}-2-draft`, `${gone}-3-draft/theirs`];
  for (const draft of [...drafts, ".toolgate-draft", `${gone}-4-drafts`])
    mkdirSync(join(scratch.workspace, draft), { recursive: true });
  symlinkSync("x", join(scratch.workspace, `${gone}-5-draft`));
  sweepDrafts(scratch.workspace, scratch.names());
  expect(scratch.names()).toEqual(
    [`${own}-draft`, `${gone}-3-draft`, ".toolgate-draft", `${gone}-4-drafts`, `${gone}-5-draft`, "x"].sort(),
  );
});

it("of a process that can't be seen from here goes after a day", () => {
  using scratch = openScratch();
  const claim = scratch.put(".npmrc/.toolgate-1-1-1-1/x").slice(0, -2);
  const path = join(scratch.workspace, ".npmrc");
  // What looks like a claim and holds something is not taken away.
  utimesSync(claim, 0, 0);
  unplace(placedAt(path));
  expect(existsSync(claim)).toBe(true);
  mkdirSync(join(path, ".toolgate-1-2-3-4"));
  unplace(placedAt(path));
  expect(existsSync(join(path, ".toolgate-1-2-3-4"))).toBe(true);
  utimesSync(join(path, ".toolgate-1-2-3-4"), 0, 0);
  unplace(placedAt(path));
  expect(existsSync(join(path, ".toolgate-1-2-3-4"))).toBe(false);
});

it("takes nothing that only has a claim's name for one, and away nothing that a link leads to", () => {
  using scratch = openScratch();
  const draft = scratch.put("own/draft", "precious");
  const [, namespace] = /\.toolgate-(\d+)/.exec(placedAt(join(scratch.workspace, ".npmrc")).claim) ?? [];
  const path = join(scratch.workspace, "repository/.git/hooks");
  mkdirSync(path, { recursive: true });
  symlinkSync(join(scratch.workspace, "own"), join(path, `.toolgate-${namespace}-4194305-1-1`));
  expect([place(path), placeAround(path)]).toEqual([null, null]);
  expect(readFileSync(draft, "utf8")).toBe("precious");
});

it("looks at no more names of claims than there can be", () => {
  using scratch = openScratch();
  for (let n = 0; n <= 1000; n++)
    mkdirSync(join(scratch.workspace, `many/.toolgate-1-4194305-1-${n}`), { recursive: true });
  expect(place(join(scratch.workspace, "many"))).toBeNull();
});
