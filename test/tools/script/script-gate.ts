import type { JsonObject } from "../../../src/domain/json.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

/** Everything that the tools do, where nothing else is said. */
const ALLOW: readonly RuleSource[] = [{ id: "scripts", effect: "allow" }];

/** A gate whose tools are those of one `tools.yaml`. YAML is a superset of JSON. */
export function openScriptGate(tools: JsonObject, { config, files, ...parts }: GateParts = {}): ScratchGate {
  return openScratchGate({
    rules: ALLOW,
    ...parts,
    files: { "tools.yaml": JSON.stringify({ tools }), ...files },
    config: { tools: { builtin: [], scripts: ["tools.yaml"] }, ...config },
  });
}

export const param = (name: string, more: JsonObject = {}): JsonObject => ({ name, type: "string", ...more });

/** What a tool printed. */
export function printed(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map(({ text = "" }) => text).join("");
}
