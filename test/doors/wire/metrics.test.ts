import { expect, it } from "vitest";
import { Metrics } from "../../../src/doors/wire/metrics.ts";

const linesOf = (metrics: Metrics): readonly string[] => metrics.text().trimEnd().split("\n");

it("counts by labels, whose values can't end their quotes", () => {
  const metrics = new Metrics();
  for (const tool of ["echo", "echo", 'a"b\\c\nd"']) metrics.count("used_total", { tool, success: "true" });
  metrics.count("asked_total");
  expect(linesOf(metrics)).toEqual([
    "# TYPE used_total counter",
    'used_total{tool="echo",success="true"} 2',
    'used_total{tool="a_b_c_d_",success="true"} 1',
    "# TYPE asked_total counter",
    "asked_total 1",
  ]);
});

it.each([
  [0, 9],
  [0.005, 9],
  [0.0051, 8],
  [300, 1],
  [300.1, 0],
])("a time of %d s is in %i of the nine buckets, and in the one for all", (seconds, buckets) => {
  const metrics = new Metrics();
  metrics.observe("took_seconds", { route: "/mcp" }, seconds);
  const counted = linesOf(metrics).filter((line) => line.includes("_bucket{") && line.endsWith(" 1"));
  expect(counted).toHaveLength(buckets + 1);
  expect(counted.at(-1)).toBe('took_seconds_bucket{route="/mcp",le="+Inf"} 1');
});
