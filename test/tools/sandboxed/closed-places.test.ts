import { expect, it } from "vitest";
import { closedPlaces } from "../../../src/tools/sandboxed/closed-places.ts";

const closed = (...patterns: readonly string[]) => closedPlaces(patterns, "/w");

it.each([
  ["./.env", "/w/.env", true],
  ["./.env", "/w/sub/.env", false],
  ["./**/.env", "/w/sub/.env", true],
  ["./keys/**", "/w/keys", true],
  ["./keys/**", "/w/keys/a/b", true],
  ["./keys/**", "/w/keysmith", false],
  ["/etc/*.key", "/etc/a.key", true],
  ["/etc/*.key", "/etc/sub/a.key", false],
] as const)("%s closes %s: %s", (pattern, path, expected) => expect(closed(pattern).matches(path)).toBe(expected));

it("says by the name alone what can't match", () => {
  const places = closed("./**/.env", "./keys/**");
  expect([".env", "keys", "a.txt"].map(places.mayMatch)).toEqual([true, true, false]);
  expect(closed("./**/.env", "./*.pem").mayMatch("a.txt")).toBe(true);
});

it("looks only into folders that a match can lie in", () => {
  const places = closed("./a/b/**", "/etc/x");
  expect(["/w", "/w/a", "/w/a/b", "/w/a/b/c", "/w/c", "/etc", "/usr"].map(places.reachesInto)).toEqual([
    ...[true, true, true, true, false, true, false],
  ]);
  expect(closed("**/.env").reachesInto("/anywhere")).toBe(true);
});

it("a pattern that can't be read closes everything", () => {
  const places = closed("./a/[", "./b");
  expect([places.matches("/w/x"), places.mayMatch("x"), places.reachesInto("/w/x")]).toEqual([true, true, true]);
});

it("nothing is closed where nothing is named", () => {
  const places = closed();
  expect([places.isEmpty, places.matches("/w/x"), places.reachesInto("/")]).toEqual([true, false, false]);
});
