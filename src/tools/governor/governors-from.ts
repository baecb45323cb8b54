import type { CallFacts } from "../../domain/call-facts.ts";
import type { EntryDraft } from "../../domain/entry.ts";
import type { GovernorSpec, GovernorSpecs } from "../../domain/governor-spec.ts";
import { EVERYTHING } from "../../domain/lease.ts";
import type { Governor, Governors } from "../../ports/governor.ts";
import { type FunctionGovernor, functionGovernor } from "./function-governor.ts";
import { type HttpGovernorParts, type HttpSpec, httpGovernor } from "./http-governor.ts";
import { GovernorPlaces, inTurn } from "./in-turn.ts";
import { type ScriptGovernorParts, type ScriptSpec, scriptGovernor } from "./script-governor.ts";

type AskingParts = HttpGovernorParts & ScriptGovernorParts;

export interface GovernorsParts extends Omit<AskingParts, "facts"> {
  /** Whose doing it is that they run: what rules may ask about that keep a part of their grants closed. */
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
}

/** Those of the file and those of the program, in this order. */
export function governorsFrom(
  { specs, settings }: Omit<GovernorSpecs, "hash">,
  functions: readonly FunctionGovernor[],
  parts: GovernorsParts,
): Governors {
  const asking = { ...parts, facts: factsFor(parts) };
  const places = new GovernorPlaces();
  const governors = [
    ...specs.map((spec) => governorFrom(spec, asking, places)),
    ...functions.map((each) => functionGovernor(each, parts)),
  ];
  return { governors, ...settings };
}

const governorFrom = (spec: GovernorSpec, parts: AskingParts, places: GovernorPlaces): Governor =>
  spec.way.kind === "script"
    ? inTurn(scriptGovernor(spec as ScriptSpec, parts), places)
    : httpGovernor(spec as HttpSpec, parts);

const factsFor =
  ({ signature, clock, sandbox }: GovernorsParts) =>
  (id: string): CallFacts => ({
    tool: `governor:${id}`,
    source: "builtin",
    containment: "sandbox",
    sandbox: sandbox.report().backend,
    touches: [],
    input: {},
    actor: signature.actor,
    project: signature.project,
    session: { id: signature.sessionId, project: signature.project, lease: EVERYTHING },
    nowMs: clock.nowMs(),
  });
