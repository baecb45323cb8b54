import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/** The answers to a request for permission that the gate may give, by the ids that this agent has for them. */
export interface Choice {
  /** Null: there is none that allows just this call. */
  readonly allow: string | null;
  readonly reject: string | null;
}

interface Option {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** What an agent calls it when it goes on without asking, in the names of modes and of answers. */
const STOPS_ASKING =
  /bypass|yolo|auto|always|all[ _-]edits|dangerous|full[ _-]?access|unattended|don.?t[ _-]?ask|never[ _-]?ask|skip|trust|session/i;
const SWITCHES_MODE = /mode/i;

export const mayStopAsking = (text: string): boolean => STOPS_ASKING.test(text);

/**
 * Ids differ from agent to agent, so they are chosen by kind, and of several the first. INVARIANT (once): never one that
 * is good for more than this call, whatever kind it claims: `allow_always`, or one that switches a mode.
 */
export function chooseOption(
  options: JsonValue | undefined,
  modeIds: ReadonlySet<string>,
  switchesMode: boolean,
): Choice {
  const known = (Array.isArray(options) ? (options as readonly JsonValue[]) : []).flatMap(optionFrom);
  const isOnce = ({ optionId, name }: Option): boolean => {
    if (mayStopAsking(optionId) || mayStopAsking(name)) return false;
    return switchesMode || !(modeIds.has(optionId) || SWITCHES_MODE.test(optionId) || SWITCHES_MODE.test(name));
  };
  const first = (kind: string, isGood: (option: Option) => boolean = () => true): string | null =>
    known.find((option) => option.kind === kind && isGood(option))?.optionId ?? null;
  return {
    allow: first("allow_once", isOnce),
    reject: first("reject_once") ?? first("reject_always"),
  };
}

function optionFrom(option: JsonValue): readonly Option[] {
  if (!isJsonObject(option)) return [];
  const { optionId, name, kind } = option;
  return typeof optionId === "string" && typeof kind === "string"
    ? [{ optionId, kind, name: typeof name === "string" ? name : "" }]
    : [];
}
