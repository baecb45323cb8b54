import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { soup } from "./slot-soup.ts";

needs(
  "bwrap",
  "bash",
  "timeout",
)("slots put anywhere", () => {
  it("are refused, or run nothing", () => {
    const { loaded, programs, fired } = soup(7, 300);
    expect(fired).toEqual([]);
    expect(loaded).toBeGreaterThan(50);
    expect(programs).toBeGreaterThan(10);
  });
});
