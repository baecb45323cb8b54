import { describe, expect, it } from "vitest";
import { Metrics } from "../../../src/doors/wire/metrics.ts";

describe("Metrics", () => {
  it("counts by name and labels", () => {
    const metrics = new Metrics();
    metrics.count("plain");
    metrics.count("calls", { tool: "a", success: "true" });
    metrics.count("calls", { tool: "a", success: "true" });
    metrics.count("calls", { tool: "a", success: "false" });
    expect(metrics.text()).toBe(
      '# TYPE plain counter\nplain 1\n# TYPE calls counter\ncalls{tool="a",success="true"} 2\ncalls{tool="a",success="false"} 1\n',
    );
  });

  it("no value of a label ends it, or its line", () => {
    const metrics = new Metrics();
    metrics.count("calls", { tool: 'a"} 7\nfake{b="\\' });
    expect(metrics.text()).toBe('# TYPE calls counter\ncalls{tool="a_} 7_fake{b=__"} 1\n');
  });

  it("a histogram counts in every bucket that is not below, and its border is inside", () => {
    const metrics = new Metrics();
    for (const seconds of [0.0001, 0.005, 0.0051, 300, 301]) metrics.observe("took", { of: "a" }, seconds);
    const counts = [...metrics.text().matchAll(/le="([^"]+)"\} (\d+)/g)].map(([, le, count]) => `${le}: ${count}`);
    const middle = ["0.01", "0.05", "0.1", "0.5", "1", "5", "30"].map((le) => `${le}: 3`);
    expect(counts).toEqual(["0.005: 2", ...middle, "300: 4", "+Inf: 5"]);
    expect(metrics.text()).toContain('took_count{of="a"} 5\n');
  });

  it("a gauge is asked when somebody looks", () => {
    const metrics = new Metrics();
    let value = 1;
    metrics.gauge("now", () => value);
    value = 2;
    expect(metrics.text()).toBe("# TYPE now gauge\nnow 2\n");
  });
});
