import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import { type NameRule, ToolNames } from "../tool-names.ts";
import { namesIn } from "./object-schema.ts";
import { type Restore, restoreItems, restoreNames } from "./restore.ts";

/** What Anthropic refuses a whole request for if one argument of one tool is called otherwise. */
export const MOST_ARGUMENTS: NameRule = {
  legal: /^[A-Za-z0-9_.-]{1,64}$/,
  illegal: /[^A-Za-z0-9_.-]+/g,
  firstLegal: /^[A-Za-z0-9_.-]/,
};

export const GEMINI_ARGUMENTS: NameRule = {
  legal: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  illegal: /[^A-Za-z0-9_]+/g,
  firstLegal: /^[A-Za-z_]/,
};

export interface LegalArguments {
  readonly schema: JsonObject;
  readonly restore: Restore;
}

/** The schema with names of arguments that the provider takes; the same one where they all are. Made like names of tools. */
export function legalArguments(schema: JsonObject, rule: NameRule): LegalArguments {
  const inItems = isJsonObject(schema["items"]) ? legalArguments(schema["items"], rule) : null;
  const inMembers = isJsonObject(schema["properties"]) ? legalMembers(schema, schema["properties"], rule) : null;
  const restores = [restoreItems(inItems?.restore ?? null), inMembers?.restore ?? null].filter((each) => each !== null);
  if (restores.length === 0) return { schema, restore: null };
  return {
    schema: { ...(inMembers?.schema ?? schema), ...(inItems && { items: inItems.schema }) },
    restore: (value) => restores.reduce((restored, restore) => restore(restored), value),
  };
}

function legalMembers(schema: JsonObject, properties: JsonObject, rule: NameRule): LegalArguments {
  const names = new ToolNames(Object.keys(properties), rule);
  const members = Object.entries(properties).map(([own, part]) => {
    const inside = isJsonObject(part) ? legalArguments(part, rule) : { schema: part, restore: null };
    const offered = names.offered(own) ?? own;
    return { own, offered, part: offered === own ? inside.schema : named(inside.schema, own), restore: inside.restore };
  });
  const required = namesIn(schema["required"]).map((own) => names.offered(own) ?? own);
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(members.map(({ offered, part }) => [offered, part])),
      ...(schema["required"] !== undefined && { required }),
    },
    restore: restoreNames(
      new Map(members.filter(({ own, offered }) => own !== offered).map(({ own, offered }) => [offered, own])),
      new Map(members.map(({ own, restore }) => [own, restore])),
    ),
  };
}

/** The model should know what the tool itself calls it. */
function named(part: JsonValue, own: string): JsonValue {
  if (!isJsonObject(part)) return part;
  const { description } = part;
  const name = `the tool calls it ${quoted(own)}`;
  return { ...part, description: typeof description === "string" ? `${description} (${name})` : name };
}
