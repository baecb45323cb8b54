import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openScratch } from "./scratch.ts";

const WRITER = fileURLToPath(new URL("../programs/writes-forever.ts", import.meta.url));
const BYTES = 500_000;

describe("a writer that is killed", () => {
  it("leaves the old or the new content, 100 times", async () => {
    using scratch = openScratch();
    const whole = ["a".repeat(BYTES), "b".repeat(BYTES)];
    scratch.put("a.txt", whole[0]);
    for (let i = 0; i < 100; i += 1) {
      const writer = spawn(process.execPath, [WRITER, scratch.workspace, "a.txt", String(BYTES)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(writer.stdout, "data");
      await setTimeout(Math.random() * 20); // any moment of a write will do: nothing is asserted about time
      writer.kill("SIGKILL");
      await once(writer, "exit");
      expect(whole).toContain(scratch.text("a.txt"));
    }
    const left = scratch.names().filter((name) => name !== "a.txt");
    expect(left.every((name) => name.startsWith(".toolgate-"))).toBe(true);
  });
});
