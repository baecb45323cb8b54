import type { RuleSource } from "../rules/rule.ts";
import { BUILT_IN_PREFIX } from "./built-in-rules.ts";
import type { RawConfig } from "./config-shape.ts";

/** What the operator wants of some tools is a deny like any other: no rule and no person takes it away. */
export function sandboxRules({ sandbox }: RawConfig): readonly RuleSource[] {
  const tools = sandbox?.contained ?? [];
  if (tools.length === 0) return [];
  return [
    {
      id: `${BUILT_IN_PREFIX}sandbox`,
      effect: "deny",
      tools,
      sandbox: ["none"],
      because: "the configuration wants its programs held in, and nothing here holds them; `toolgate doctor` says why",
    },
  ];
}
