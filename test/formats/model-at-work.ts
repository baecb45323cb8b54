import { expect } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";
import type { Conversing } from "./conversations.ts";
import { type FakeModel, openFakeModel, type Script } from "./fake-model.ts";

/** An agent loop of a test: from the first request to the model's last words. */
export type Loop = (gate: Gate, url: string) => Promise<string>;

/** What a model that has to write every member writes for those it does not want. */
const UNUSED = { write_file: { create_only: null, append: null }, read_file: { offset: null, limit: null } } as const;

/** In its first turn three calls that conflict, in its second one that is refused and one that is none, then words. */
const scriptFor =
  (format: Conversing): Script =>
  (turn, results) => {
    const isStrict = format === "openai" || format === "openai-responses";
    const call = (id: string, name: keyof typeof UNUSED, input: JsonObject) => ({
      id,
      name,
      input: isStrict ? { ...UNUSED[name], ...input } : input,
    });
    if (turn === 0) {
      return [
        call("c1", "write_file", { path: "a.txt", content: "one\n" }),
        call("c2", "write_file", { path: "./a.txt", content: "two\n", append: true }),
        call("c3", "read_file", { path: "a.txt" }),
      ];
    }
    if (results.some((text) => text.includes("RULE_DENY"))) return "done";
    return [call("c4", "read_file", { path: ".env" }), { id: "c5", name: "reed_file", input: {} }];
  };

const RULES = [
  { id: "files", effect: "allow", touch: { read: ["./**"], write: ["./**"] } },
  { id: "no-keys", effect: "deny", touch: { read: ["./.env"] } },
] as const;

/** Runs a loop through the provider's real package against the fake model, and holds what came of it against the disk. */
export async function expectGoverned(format: Conversing, loop: Loop): Promise<FakeModel["requests"]> {
  await using model = await openFakeModel(scriptFor(format));
  await using scratch: ScratchGate = openScratchGate({ rules: RULES });
  scratch.put(".env", "KEY=1");
  expect(await loop(scratch.gate, model.url(format))).toBe("done");
  expect(scratch.text("a.txt")).toBe("one\ntwo\n");
  expect(scratch.rows().map(({ state, tool }) => `${tool} ${state}`)).toEqual([
    "write_file completed",
    "write_file completed",
    "read_file completed",
    "read_file refused",
    "reed_file refused",
  ]);
  const last = JSON.stringify(model.requests.at(-1));
  expect(last).toContain("one\\ntwo\\n");
  expect(last).toContain("Refused, nothing was run (RULE_DENY, rule no-keys)");
  expect(last).toContain("near it: `read_file`");
  expect(last).not.toContain("KEY=1");
  return model.requests;
}
