import { describe, expect, it } from "vitest";
import { isKernelMade, isProcfs } from "../../src/files/kernel-files.ts";
import { openScratch } from "./scratch.ts";

describe("isKernelMade", () => {
  it.each(["/proc/self/environ", "/proc/1/mem", "/proc", "/sys/kernel", "/dev/pts"])("says so of %s", (path) => {
    expect(isKernelMade(path)).toBe(true);
  });

  it("leaves files on disks and in memory alone", () => {
    using scratch = openScratch();
    expect(isKernelMade(scratch.put("a.txt"))).toBe(false);
    expect(isKernelMade("/dev/shm")).toBe(false);
  });
});

describe("isProcfs", () => {
  it("tells /proc from the others", () => {
    expect(isProcfs("/proc/self/fd")).toBe(true);
    expect(isProcfs("/sys/kernel")).toBe(false);
  });
});
