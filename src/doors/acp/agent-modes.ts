import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { AcpSession } from "./acp-session.ts";
import { mayStopAsking } from "./choose-option.ts";

/** Modes in which agents are known to ask, or to do nothing. */
const ASKS =
  /^(?:default|ask|plan|planning|read[ _-]?only|normal|manual|suggest|architect|chat|untrusted|on[ _-]?request)$/i;
/** Settings that have nothing to do with asking, by the categories that ACP has for them. */
const HARMLESS: ReadonlySet<unknown> = new Set(["model", "thought_level"]);

/** A setting that the editor wants the agent to have, if the agent might stop asking by it. Null: it goes through. */
export function doubtfulSetting(
  method: string,
  params: JsonObject,
  session: Pick<AcpSession, "harmless">,
): { readonly setting: string; readonly value: JsonValue } | null {
  if (method === "session/set_mode") {
    const { modeId = null } = params;
    return typeof modeId === "string" && ASKS.test(modeId) ? null : { setting: "mode", value: modeId };
  }
  const { configId = null, value = null } = params;
  const setting = typeof configId === "string" ? configId : JSON.stringify(configId);
  const isKnown = typeof configId === "string" && session.harmless.has(configId);
  const isAsking = typeof value === "string" && ASKS.test(value);
  const saysSo = mayStopAsking(setting) || (typeof value === "string" && mayStopAsking(value));
  return (isKnown && !saysSo) || isAsking ? null : { setting, value };
}

/** What an agent says of its modes and settings, wherever it says it. */
export function learnSettings(told: JsonObject, session: Pick<AcpSession, "harmless" | "modeIds">): void {
  const { modes, configOptions } = told;
  const available = isJsonObject(modes) ? modes["availableModes"] : null;
  for (const mode of objectsIn(available)) if (typeof mode["id"] === "string") session.modeIds.add(mode["id"]);
  for (const { id, category } of objectsIn(configOptions))
    if (typeof id === "string") {
      if (HARMLESS.has(category)) session.harmless.add(id);
      else session.harmless.delete(id);
    }
}

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
