import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { soup } from "./slot-soup.ts";

needs(
  "bwrap",
  "bash",
  "timeout",
)("slots put anywhere", () => {
  it("are refused, or run nothing", () => {
    const { loaded, fired } = soup(7, 1500);
    expect(fired).toEqual([]);
    expect(loaded).toBeGreaterThan(50);
  });
});
