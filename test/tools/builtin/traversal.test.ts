import { expect, it } from "vitest";
import { withCorpus } from "../../support/parts.ts";
import { attackThroughTools, type Payload } from "./traversal-through-tools.ts";

withCorpus<Payload>("path_traversal.jsonl")("path traversal through the file tools (A15)", (payloads) => {
  it("gets nowhere with each fortieth of the payloads", async () => {
    const some = payloads.filter((_, i) => i % 40 === 0);
    const { judged, reached } = await attackThroughTools(some);
    expect(judged).toBeGreaterThan(some.length);
    expect(reached).toBeGreaterThan(0); // else the payloads were not aimed at the sentinel and prove nothing
  });
});
