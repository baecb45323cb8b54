import type { CallFacts } from "../../src/domain/call-facts.ts";
import type { Touch } from "../../src/domain/touch.ts";

export type NaiveAnswer = boolean | "fault";

const pathOf = (touch: Touch): string | null => ("path" in touch ? touch.path : null);

/** Conditions, and once more in plain JavaScript what they mean. */
export const CONDITIONS: Readonly<Record<string, (touch: Touch, facts: CallFacts) => NaiveAnswer>> = {
  'call.tool.startsWith("read")': (_, { tool }) => tool.startsWith("read"),
  'touch.kind == "read" || touch.kind == "tool"': ({ kind }) => kind === "read" || kind === "tool",
  'touch.path.endsWith("b")': (touch) => pathOf(touch)?.endsWith("b") ?? "fault",
  'has(touch.path) && touch.path.matches("(a|w)+$")': (touch) => /(a|w)+$/.test(pathOf(touch) ?? ""),
  "call.input.flag": (_, { input }) => (typeof input["flag"] === "boolean" ? input["flag"] : "fault"),
  'trust == "native"': (_, { source }) => source === "builtin",
  "has(call.input.flag) && size(call.tool) < 5": (_, { input, tool }) => "flag" in input && tool.length < 5,
};
