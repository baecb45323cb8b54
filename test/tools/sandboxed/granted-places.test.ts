import { expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Listing, TreeEntry } from "../../../src/ports/trees.ts";
import { grantedPlaces } from "../../../src/tools/sandboxed/granted-places.ts";

/** The files of a tree by their paths, and which folders were read of it. */
function treeOf(...files: readonly string[]) {
  const folders = new Map<string, Map<string, TreeEntry["kind"]>>();
  for (const file of files) {
    const names = file.slice(1).split("/");
    for (const [index, name] of names.entries()) {
      const folder = `/${names.slice(0, index).join("/")}`;
      const inside = folders.get(folder) ?? new Map();
      folders.set(folder, inside.set(name, index === names.length - 1 ? "file" : "directory"));
    }
  }
  const read: string[] = [];
  const list = (folder: string): Listing => {
    read.push(folder);
    return { content: [...(folders.get(folder) ?? [])].map(([name, kind]) => ({ name, kind })), stamp: null };
  };
  return { read, list };
}

const FILES = [
  "/w/packages/a/dist/x.js",
  "/w/packages/a/src/dist/y.js",
  "/w/packages/b/dist",
  "/w/node_modules/z/dist/z.js",
  "/w/notes.txt",
];

it.each<[pattern: string, found: readonly string[], read: readonly string[]]>([
  // What is named needs no look, whether it is there or not.
  [".", ["/w"], []],
  ["./**", ["/w"], []],
  ["./packages/a/**", ["/w/packages/a"], []],
  ["./nosuch.txt", ["/w/nosuch.txt"], []],
  // A folder is granted by `/**` only, and files wherever they match.
  ["./*.txt", ["/w/notes.txt"], ["/w"]],
  ["./*", ["/w/notes.txt"], ["/w"]],
  [
    "./packages/*/dist/**",
    ["/w/packages/b/dist", "/w/packages/a/dist"],
    ["/w/packages", "/w/packages/b", "/w/packages/a"],
  ],
  ["./packages/*/dist", ["/w/packages/b/dist"], ["/w/packages", "/w/packages/b", "/w/packages/a"]],
  [
    "./packages/?/src/*/y.js",
    ["/w/packages/a/src/dist/y.js"],
    ["/w/packages", "/w/packages/b", "/w/packages/a", "/w/packages/a/src", "/w/packages/a/src/dist"],
  ],
  ["./p*/a/dist/x.js", ["/w/packages/a/dist/x.js"], ["/w", "/w/packages", "/w/packages/a", "/w/packages/a/dist"]],
  ["relative", [], []],
])("%s stands for %j", async (pattern, found, read) => {
  const tree = treeOf(...FILES);
  const places = (await grantedPlaces(pattern, "/w", tree)) ?? [];
  expect([...places].sort()).toEqual([...found].sort());
  expect(tree.read.sort()).toEqual([...read].sort());
});

it("looks everywhere below for any depth, and not into what it has found", async () => {
  const tree = treeOf(...FILES);
  const found = await grantedPlaces("./**/dist/**", "/w", tree);
  expect([...(found ?? [])].sort()).toEqual([
    "/w/node_modules/z/dist",
    "/w/packages/a/dist",
    "/w/packages/a/src/dist",
    "/w/packages/b/dist",
  ]);
  expect(tree.read).not.toContain("/w/packages/a/dist");
});

it("finds a file in a folder of the same name", async () => {
  expect(await grantedPlaces("./**/b", "/w", treeOf("/w/x/b/b"))).toEqual(["/w/x/b/b"]);
});

it("gives up, and says so, where there is more than can be looked through", async () => {
  const most = LIMITS.walkEntries.maximum;
  const many = (count: number) => ({
    list: (folder: string): Listing => ({
      content:
        folder === "/w" ? Array.from({ length: count }, (_, n) => ({ name: `f${n}`, kind: "other" }) as const) : [],
      stamp: null,
    }),
  });
  expect(await grantedPlaces("./*", "/w", many(most))).toEqual([]);
  expect(await grantedPlaces("./*", "/w", many(most + 1))).toBeNull();
});

it("lets others have their turn on the way", async () => {
  const tree = treeOf(...Array.from({ length: 1000 }, (_, n) => `/w/d${n}/f`));
  let isFound = false;
  const finding = grantedPlaces("./*/f", "/w", tree).finally(() => {
    isFound = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFound).toBe(false);
  expect(await finding).toHaveLength(1000);
});
