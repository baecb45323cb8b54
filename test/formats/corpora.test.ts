import { expect, it } from "vitest";
import { FORMAT_NAMES } from "../../src/formats/formats.ts";
import { Offer } from "../../src/formats/offer.ts";
import { withCorpus } from "../support/parts.ts";
import { TOOL_RULES } from "./provider-rules.ts";
import { tool } from "./some-tools.ts";

withCorpus<{ tool: string; description: string }>("asb_tools.jsonl")("tools that mean no good", (lines) => {
  const byName = new Map(lines.map(({ tool: name, description }) => [name, tool(name, { description })]));

  it.each(FORMAT_NAMES)(
    "are offered as %s like any others: good by the rules, and without flags of their own",
    (format) => {
      const tools = new Offer(format, [...byName.values()]).tools();
      expect(TOOL_RULES[format](JSON.parse(JSON.stringify(tools)))).toEqual([]);
      expect(JSON.stringify(tools)).not.toMatch(/\[READ-ONLY\]/);
    },
  );
});
