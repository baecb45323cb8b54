import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownPath } from "../../src/domain/shown-path.ts";

describe("shownPath", () => {
  it.each([
    ["/srv/ws", "."],
    ["/srv/ws/a/b.txt", "a/b.txt"],
    ["/srv/ws2/a", "../ws2/a"],
    ["/etc/passwd", "../../etc/passwd"],
    ["/", "../.."],
  ])("shows %s as %s", (path, shown) => {
    expect(shownPath("/srv/ws", path)).toBe(shown);
  });

  it("agrees with the path library on canonical paths", () => {
    const path = fc.array(fc.constantFrom("a", "b", "ws"), { maxLength: 5 }).map((names) => `/${names.join("/")}`);
    void fc.assert(fc.property(path, path, (from, to) => shownPath(from, to) === (posix.relative(from, to) || ".")));
  });
});
