import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { limiterFor } from "../../src/sandbox/limiter.ts";
import type { RLimit } from "../../src/sandbox/rlimit.ts";

const LIMITS: readonly RLimit[] = [
  ["core", 0, 0],
  ["fsize", 2 ** 40 + 5, 2 ** 40 + 5],
  ["nofile", 77, 77],
  ["data", 2 ** 33, 2 ** 33],
  ["cpu", 5, 6],
];

const limited = (limits: readonly RLimit[], ...argv: readonly string[]) => {
  const { status, stdout } = spawnSync(limiterFor(limits) as string, argv, { env: { ONLY: "this" }, encoding: "utf8" });
  return { status, stdout };
};

it.runIf(process.arch === "x64" && process.platform === "linux")("sets its limits and becomes the program", () => {
  const { status, stdout } = limited(LIMITS, "/bin/cat", "/proc/self/limits");
  const rows = stdout.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 3));
  expect(status).toBe(0);
  expect(rows).toEqual(
    expect.arrayContaining([
      ["Max core file size", "0", "0"],
      ["Max file size", String(2 ** 40 + 5), String(2 ** 40 + 5)],
      ["Max open files", "77", "77"],
      ["Max data size", String(2 ** 33), String(2 ** 33)],
      ["Max cpu time", "5", "6"],
    ]),
  );
  expect(limited(LIMITS, "/usr/bin/env")).toEqual({ status: 0, stdout: "ONLY=this\n" });
  expect(limited(LIMITS, "/usr/bin/printf", "<%s>", "a b", "")).toEqual({ status: 0, stdout: "<a b><>" });
});

it.runIf(process.arch === "x64" && process.platform === "linux")("starts nothing without its limits", () => {
  // More than it says itself that it may have at most.
  expect(limited([["nofile", 20, 10]], "/bin/echo", "started")).toEqual({ status: 126, stdout: "" });
  expect(limited(LIMITS, "/nosuch")).toEqual({ status: 126, stdout: "" });
  expect(limited(LIMITS)).toEqual({ status: 126, stdout: "" });
});

it.runIf(process.arch === "x64" && process.platform === "linux")("is made once, and not for ever more", () => {
  expect(limiterFor(LIMITS)).toBe(limiterFor(LIMITS));
  const kinds = Array.from({ length: 20 }, (_, index) => limiterFor([["nofile", 100 + index, 100 + index]]));
  expect(kinds.at(-1)).toBeNull();
  expect(limiterFor(LIMITS)).not.toBeNull();
});

it("is there for processors that it was written for", () => expect(limiterFor(LIMITS, "arm64")).toBeNull());
