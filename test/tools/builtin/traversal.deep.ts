import { expect, it } from "vitest";
import { withCorpus } from "../../support/parts.ts";
import { attackThroughTools, type Payload } from "./traversal-through-tools.ts";

withCorpus<Payload>("path_traversal.jsonl")("path traversal through the file tools (A15)", (payloads) => {
  it("gets nowhere with all payloads and tools", async () => {
    const { judged, reached } = await attackThroughTools(payloads);
    expect([judged > payloads.length, reached > 0]).toEqual([true, true]);
    process.stdout.write(
      `${payloads.length} payloads, ${judged} plans judged, ${reached} of them aimed at the sentinel\n`,
    );
  });
});
