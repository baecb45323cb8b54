import { describe, expect, it } from "vitest";
import { personsAnswer } from "../../src/approval/persons-answer.ts";

describe("an answer", () => {
  it.each<[object, object]>([
    [
      { kind: "approve", who: "ann" },
      { kind: "approve", who: "ann" },
    ],
    [
      { kind: "reject", who: "", reason: "" },
      { kind: "reject", who: "", reason: "" },
    ],
    [
      { kind: "approve", who: "ann", reason: undefined },
      { kind: "approve", who: "ann" },
    ],
    [
      { kind: "approve", who: "ann", digest: "another", always: true },
      { kind: "approve", who: "ann" },
    ],
  ])("%j is one, and nothing more than %j", (said, heard) => expect(personsAnswer(said as never)).toEqual(heard));

  it.each<unknown>([
    undefined,
    true,
    "approve",
    {},
    [],
    { kind: "approve" },
    { kind: "approved", who: "ann" },
    { kind: "expired" },
    { kind: "cancelled", who: "ann" },
    { kind: "approve", who: null },
    { kind: "approve", who: { toWellFormed: () => "ann" } },
    { kind: "reject", who: "ann", reason: 7 },
    { kind: ["approve"], who: "ann" },
  ])("%j is none", (said) => expect(() => personsAnswer(said as never)).toThrow(TypeError));
});
