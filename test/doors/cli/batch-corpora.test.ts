import { expect, it } from "vitest";
import { withCorpus } from "../../support/parts.ts";
import { type JsonCase, parseAll, roundTrip, traverse } from "./batch-corpora.ts";

withCorpus<{ payload: string }>("path_traversal.jsonl")("path traversal through `toolgate batch` (A15)", (cases) => {
  it("gets nowhere with each fortieth of the payloads", async () => {
    const some = cases.map(({ payload }) => payload).filter((_, i) => i % 40 === 0);
    const { completed, aimed } = await traverse(some);
    expect([completed > 0, aimed > 0]).toEqual([true, true]); // else the payloads prove nothing
  });
});

withCorpus<{ text: string }>("blns.jsonl")("awkward strings through `toolgate batch`", (cases) => {
  it("come back byte for byte", async () => {
    const { named } = await roundTrip(cases.map(({ text }) => text).filter((_, i) => i % 4 === 0));
    expect(named).toBeGreaterThan(0);
  });
});

withCorpus<JsonCase>("json_parsing.jsonl")("JSON as lines of a batch", (cases) => {
  it("is accepted or refused as it must be, and the rest goes on", async () => {
    const { accepted, rejected } = await parseAll(cases);
    expect([accepted > 50, rejected > 100]).toEqual([true, true]);
  });
});
