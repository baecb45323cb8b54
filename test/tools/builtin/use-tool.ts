import type { ApprovedCall, Tool, ValidCall } from "../../../src/domain/call.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { InputError, Refusal } from "../../../src/domain/outcome.ts";
import type { Plan } from "../../../src/domain/plan.ts";
import type { RunResult } from "../../../src/domain/tool.ts";
import { approvedCall, NEVER, resultOf } from "../../support/sample-calls.ts";

export interface Use {
  readonly errors: readonly InputError[];
  readonly refusal: Refusal | null;
  readonly plan: Plan | null;
  readonly result: RunResult | null;
}

export interface UseOptions {
  /** What happens between planning and running. */
  readonly between?: () => void;
  readonly signal?: AbortSignal;
  /** What the rules keep back inside a tree. */
  readonly hide?: readonly string[];
}

/** Checks, plans and runs, as the pipeline does; every touch is allowed. */
export async function useTool<Input extends object>(
  tool: Tool<Input>,
  rawInput: object,
  { between = () => {}, signal = NEVER, hide = [] }: UseOptions = {},
): Promise<Use> {
  const nothing = { errors: [], refusal: null, plan: null, result: null };
  const input = rawInput as Input & JsonObject;
  const errors = tool.check(input);
  if (errors.length > 0) return { ...nothing, errors };
  const call = { ...approvedCall(), tool: tool as unknown as Tool, input };
  const draft = await tool.plan(call as unknown as ValidCall & { input: Input }, signal);
  if (draft.kind === "refuse") return { ...nothing, refusal: draft.refusal };
  const plan: Plan = { ...call.plan, ...draft.plan, input };
  between();
  const seal = { ...call.seal, grant: { ...call.seal.grant, hide } };
  const run = tool.run({ ...call, plan, seal } as unknown as ApprovedCall & { input: Input }, signal);
  return { ...nothing, plan, result: await resultOf(run) };
}

/** `completed`, or the code of whatever else it is: what the tables compare. */
export function codeOf({ errors, refusal, result }: Use): string {
  if (errors.length > 0) return "INVALID_ARGUMENTS";
  if (refusal !== null) return refusal.code;
  return result?.kind === "failed" ? result.error.code : (result?.kind ?? "nothing");
}

export const messageOf = ({ errors: [error], refusal, result }: Use): string =>
  error?.message ?? refusal?.message ?? (result?.kind === "failed" ? result.error.message : "");

/** The text content, joined. */
export const textOf = ({ result }: Use): string =>
  (result?.kind === "completed" ? result.content : [])
    .flatMap((item) => (item.type === "text" ? [item.text] : []))
    .join("");

export const contentOf = ({ result }: Use) => (result?.kind === "completed" ? result.content : []);

/** The touches with paths from the workspace: `write a.txt`. */
export const touchesOf = ({ plan }: Use, workspace: string): readonly string[] =>
  (plan?.touches ?? []).map((touch) =>
    "path" in touch
      ? `${touch.kind} ${touch.path.replace(`${workspace}/`, "")}${touch.tree ? " tree" : ""}`
      : touch.kind,
  );
