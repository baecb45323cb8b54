import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { openTrees } from "../../../src/files/open-trees.ts";
import type { TreeEntry, Trees } from "../../../src/ports/trees.ts";
import { closedPlaces } from "../../../src/tools/sandboxed/closed-places.ts";
import { type Closed, Survey } from "../../../src/tools/sandboxed/survey.ts";
import { openScratch } from "../../files/scratch.ts";

const closedIn = (workspace: string, hide: readonly string[], readOnly: readonly string[], key = "key"): Closed => ({
  hide: closedPlaces(hide, workspace),
  readOnly: closedPlaces(readOnly, workspace),
  key,
});

/** Counts the folders that are read. */
const counted = (): Trees & { readonly read: string[] } => {
  const [trees, read] = [openTrees(), [] as string[]];
  const list: Trees["list"] = (folder) => {
    read.push(folder);
    return trees.list(folder);
  };
  return { ...trees, list, read };
};

/** What was made up to now is as it is: nobody can set back when a folder was changed, so the clock goes on. */
const settle = (): void => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1000 });

afterEach(() => void vi.useRealTimers());

it("finds what is hidden and what stays as it is, at every depth", async () => {
  using scratch = openScratch();
  for (const path of [".env", "sub/.env", "keys/k", ".git/config", "sub/.git/hooks/x", "plain"]) scratch.put(path);
  symlinkSync("plain", join(scratch.workspace, ".npmrc"));
  const { workspace } = scratch;
  const closed = closedIn(
    workspace,
    ["./**/.env", "./keys/**"],
    ["./**/.git/config", "./**/.git/hooks/**", "./**/.npmrc"],
  );
  const found = await new Survey(openTrees()).of(workspace, closed);
  const below = (items: readonly { readonly path: string; readonly kind: string }[] = []) =>
    items.map(({ path, kind }) => `${path.slice(workspace.length + 1)} ${kind}`).sort();
  expect(below(found?.hidden)).toEqual([".env file", "keys directory", "sub/.env file"]);
  expect(below(found?.readOnly)).toEqual([".git/config file", ".npmrc link", "sub/.git/hooks directory"]);
});

it("reads a folder again only when it has changed, and never takes one for settled that may still change", async () => {
  using scratch = openScratch();
  scratch.put("a/x");
  scratch.put("b/x");
  const { workspace } = scratch;
  const trees = counted();
  const survey = new Survey(trees);
  const look = (key = "key") => survey.of(workspace, closedIn(workspace, ["./**/.env"], [], key));
  await look();
  await look();
  // Made a moment ago: another name could come without a new stamp.
  expect(trees.read).toHaveLength(6);
  settle();
  await look();
  trees.read.length = 0;
  expect((await look())?.hidden).toEqual([]);
  expect(trees.read).toEqual([]);
  scratch.put("b/.env");
  expect((await look())?.hidden).toEqual([{ path: join(workspace, "b/.env"), kind: "file" }]);
  expect(trees.read).toEqual([join(workspace, "b")]);
  // Other patterns see with other eyes.
  await look("other");
  expect(trees.read).toHaveLength(4);
});

it("finds what came to be although a program has set the folder's time back", async () => {
  using scratch = openScratch();
  const folder = join(scratch.workspace, "a");
  mkdirSync(folder);
  utimesSync(folder, 1, 1);
  settle();
  const survey = new Survey(openTrees());
  const look = () => survey.of(scratch.workspace, closedIn(scratch.workspace, ["./**/.env"], []));
  expect((await look())?.hidden).toEqual([]);
  scratch.put("a/.env");
  utimesSync(folder, 1, 1);
  expect((await look())?.hidden).toEqual([{ path: join(folder, ".env"), kind: "file" }]);
});

it("forgets rather than grow", async () => {
  using scratch = openScratch();
  settle();
  const trees = counted();
  const survey = new Survey(trees);
  const look = (key: string) => survey.of(scratch.workspace, closedIn(scratch.workspace, ["./x"], [], key));
  for (let i = 0; i < 40; i++) await look(`key ${i}`);
  await look("key 39");
  expect(trees.read).toHaveLength(40);
  await look("key 0");
  expect(trees.read).toHaveLength(41);
});

it("looks into folders in which nothing can be closed for their sockets", async () => {
  using scratch = openScratch();
  mkdirSync(join(scratch.workspace, "big"));
  scratch.put("a/b/.env");
  const trees = counted();
  await new Survey(trees).of(scratch.workspace, closedIn(scratch.workspace, ["./a/**/.env"], []));
  expect(trees.read.map((path) => path.slice(scratch.workspace.length))).toEqual(["", "/big", "/a", "/a/b"]);
});

it.each([
  [19_999, []],
  [20_001, null],
])("gives up looking for sockets, and nothing else, in too many folders: %i", async (count, sockets) => {
  const many = Array.from({ length: count }, (_, n) => ({ name: `${n}`, kind: "directory" }) as const);
  const list: Trees["list"] = (folder) => ({ stamp: null, content: folder === "/w" ? many : [] });
  const survey = new Survey({ ...openTrees(), list, stamp: () => null });
  expect(await survey.of("/w", closedIn("/w", ["./a/**/.env"], []))).toMatchObject({ sockets, hidden: [] });
});

it("takes folders with more entries than a call has arguments", async () => {
  const count = 200_000;
  const many = (prefix: string) =>
    Array.from({ length: count }, (_, n): TreeEntry => ({ name: `${prefix}${n}`, kind: "directory" }));
  const content = new Map([
    ["/w", many("")],
    ["/w/0", many(".env.")],
  ]);
  const list: Trees["list"] = (folder) => ({ stamp: null, content: content.get(folder) ?? [] });
  const survey = new Survey({ ...openTrees(), list, stamp: () => null });
  const found = await survey.of("/w", closedIn("/w", ["./**/.env.*"], ["./**/.env.*"]));
  expect([found?.hidden.length, found?.readOnly.length]).toEqual([count, count]);
});
