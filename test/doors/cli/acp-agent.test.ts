import { expect, it } from "vitest";
import { agentFrom } from "../../../src/doors/cli/acp-agent.ts";
import type { Invocation } from "../../../src/doors/cli/command.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

async function granted(grant: string) {
  await using scratch = openScratchGate();
  return agentFrom({ words: ["some-agent"], flags: { grant } } as unknown as Invocation, scratch.gate).grant;
}

it("reads what an agent's process is granted", async () => {
  expect(await granted("read=./a/**,write=./b=c/**,connect=api.example.com:443")).toEqual({
    ...{ read: ["./a/**"], write: ["./b=c/**"], connect: ["api.example.com:443"] },
  });
});

it.each(["read", "reads", "write?", "connect*", "=./a", "read=", "read=./a,", "Read=./a", "read =./a"])(
  "grants nothing by `%s`",
  async (text) => {
    await expect(granted(text)).rejects.toThrow("grants nothing");
  },
);
