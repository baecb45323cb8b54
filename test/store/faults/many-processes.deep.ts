import { describe, it } from "vitest";
import { callFromManyProcesses } from "./many-processes.ts";

describe("F12: three gates on one state directory", () => {
  it("make 10,000 calls, each of which ends once and is recorded", async () => {
    await callFromManyProcesses(3334);
  });

  it.each(Array.from({ length: 20 }, (_, round) => round + 1))("start and end at the same time, round %d", async () => {
    await callFromManyProcesses(10);
  });
});
