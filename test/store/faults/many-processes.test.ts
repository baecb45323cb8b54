import { describe, it } from "vitest";
import { callFromManyProcesses } from "./many-processes.ts";

describe("F12: three gates on one state directory", () => {
  it("make 600 calls, each of which ends once and is recorded", async () => {
    await callFromManyProcesses(200);
  });
});
