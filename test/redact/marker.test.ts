import { expect, it } from "vitest";
import { containsMarker, isMarkerName, markerOf, markerPlaces } from "../../src/redact/marker.ts";

it.each([
  ["a marker", `x ${markerOf("github-token")} y`, true],
  ["a secret's marker", markerOf("GITHUB_TOKEN"), true],
  ["a cut marker", "[REDACTED:github-tok", false],
  ["an empty name", "[REDACTED:]", false],
  ["another word", "[redacted:x]", false],
  ["nothing", "", false],
])("knows a text with %s", (_, text, expected) => expect(containsMarker(text)).toBe(expected));

it("says where markers stand", () => {
  expect(markerPlaces(`${markerOf("a")}b${markerOf("c")}`)).toEqual([
    { start: 0, end: 12 },
    { start: 13, end: 25 },
  ]);
});

it.each(["", "a b", "a]", "ä", "a".repeat(65)])("takes no name like %j into a marker", (name) => {
  expect(isMarkerName(name)).toBe(false);
});
