import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Terminals } from "./terminals.ts";

/** An update of a tool call as an editor can show it: it has none of the terminals that the gate runs. Null: as it is. */
export function withoutTerminals(update: JsonObject, terminals: Terminals): JsonObject | null {
  const { content } = update;
  if (!Array.isArray(content) || !(content as readonly JsonValue[]).some(isTerminal)) return null;
  const shown = (content as readonly JsonValue[]).map((item) =>
    isTerminal(item) ? { type: "content", content: { type: "text", text: textOf(item, terminals) } } : item,
  );
  return { ...update, content: shown };
}

const isTerminal = (item: JsonValue): item is JsonObject => isJsonObject(item) && item["type"] === "terminal";

function textOf({ terminalId }: JsonObject, terminals: Terminals): string {
  const terminal = terminals.get(terminalId);
  return terminal === undefined ? "a command" : `$ ${terminal.command}\n${terminal.output.text}`;
}
