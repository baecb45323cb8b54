import { definitionOf } from "../../atip/definition.ts";
import { policyTrust } from "../../atip/execution-policy.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import type { FormatName } from "../../formats/formats.ts";
import { Offer } from "../../formats/offer.ts";
import type { CommandMapping, ToolCall } from "./types.ts";

export const definitionFor = ({ leaf, tool }: CommandMapping): ToolDefinition =>
  definitionOf(leaf, policyTrust(tool, {}), LIMITS.atipTimeoutMs.default);

const offers = new WeakMap<CommandMapping, Map<FormatName, Offer<FormatName>>>();

/** The arguments under the command's own names: Gemini is shown `no_browser` for `no-browser`, and answers so. */
export function ownArguments(call: ToolCall, mapping: CommandMapping): JsonObject {
  const { provider, arguments: given } = call;
  if (provider === undefined || !isJsonObject(given)) return given;
  const known = offers.get(mapping) ?? new Map<FormatName, Offer<FormatName>>();
  offers.set(mapping, known);
  const offer = known.get(provider) ?? new Offer(provider, [definitionFor(mapping)]);
  known.set(provider, offer);
  const meant = offer.meant({ id: call.id, isIdGiven: true, name: mapping.name, input: { value: given } });
  return meant.kind === "call" && isJsonObject(meant.input) ? meant.input : given;
}
