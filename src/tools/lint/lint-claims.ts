import { isJsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { ToolEffects } from "../../domain/tool-effects.ts";
import type { Definition } from "./definition.ts";
import { error, type Finding, warning } from "./definition-problem.ts";

const { minimum, maximum } = LIMITS.toolTimeoutMs;

/** What the tool says of itself beside its arguments. None of it is believed where it makes a decision milder. */
export function lintClaims({ source, trust, effects, timeoutMs }: Definition): readonly Finding[] {
  const isTime = typeof timeoutMs === "number" && timeoutMs >= minimum && timeoutMs <= maximum;
  return [
    ...(trust === "native" && source !== "builtin"
      ? [error("trust", "claim", "only built-in tools are `native`; the claim counts as `inferred`")]
      : []),
    ...(timeoutMs === undefined || isTime
      ? []
      : [error("timeoutMs", "range", `\`timeoutMs\` has to lie from ${minimum} to ${maximum}`)]),
    ...lintEffects(effects),
  ];
}

function lintEffects(effects: unknown): readonly Finding[] {
  if (effects === undefined) {
    return [warning("effects", "unclaimed", "it does not say what it does, so rules take it for the worst")];
  }
  if (!isJsonObject(effects)) return [error("effects", "type", "`effects` has to be an object")];
  return contradictions(effects as ToolEffects).map((message) => error("effects", "contradiction", message));
}

/** A claim that can't be true beside another makes all of them worthless. */
function contradictions({ filesystem, destructive, reversible, network, cost }: ToolEffects): readonly string[] {
  const changes = filesystem?.write === true || filesystem?.delete === true;
  const isReadOnly = filesystem?.write === false && filesystem.delete === false && network === false;
  return [
    ...(destructive && reversible ? ["what destroys can't be undone: `destructive` and `reversible`"] : []),
    ...(filesystem?.delete && destructive === false ? ["it deletes files and says that it destroys nothing"] : []),
    ...(destructive && isReadOnly ? ["it destroys, and neither writes nor deletes nor connects"] : []),
    ...(filesystem?.read === false && changes && filesystem.paths?.length === 0 ? ["it changes files at no path"] : []),
    ...(cost?.billable && cost.estimate === "free" ? ["it is billed and free"] : []),
  ];
}
