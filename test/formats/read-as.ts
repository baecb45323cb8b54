import type { Outcome } from "../../src/domain/outcome.ts";
import type { Answered } from "../../src/formats/format.ts";
import type { FormatName } from "../../src/formats/formats.ts";
import { Offer } from "../../src/formats/offer.ts";
import type { ReadCall } from "../../src/formats/read-calls.ts";
import { readJson } from "../../src/schema/json/read-json.ts";

/** The calls of a response, or what is wrong with it. */
export function readAs(format: FormatName, response: unknown): readonly ReadCall[] | string {
  let made = 0;
  const read = new Offer(format, []).read(response, { readJson, newId: () => `made${++made}` });
  return read.ok ? read.calls : `${read.problem.at}: ${read.problem.message}`;
}

/** `tool:value`, or `tool!` for what can't be used. */
export function shortly(format: FormatName, response: unknown): readonly string[] | string {
  const calls = readAs(format, response);
  if (typeof calls === "string") return calls;
  return calls.map(
    ({ id, name, input }) => `${id} ${name}${"value" in input ? ` ${JSON.stringify(input.value)}` : "!"}`,
  );
}

export const answered = (outcome: Outcome, call: Partial<ReadCall> = {}): Answered => ({
  call: { id: "c1", isIdGiven: true, name: "t", input: { value: {} }, ...call },
  outcome,
});
