import type { Effect } from "./decision.ts";
import type { Digest } from "./digest.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Session } from "./lease.ts";
import type { Refusal } from "./outcome.ts";
import type { Plan, PlanDraft, Preview, Seal } from "./plan.ts";
import type { InputCheck, InputCoercion, Run, ToolDefinition, UsageMax } from "./tool.ts";
import type { Touch } from "./touch.ts";

/** A call as it came in. Nothing in it has been checked. */
export interface RawCall {
  readonly callId: string;
  readonly toolName: string;
  readonly rawInput: JsonValue;
  readonly project: string;
  readonly session: Session;
  /** The gate process that holds the call. */
  readonly owner: string;
  /** The machine whose workspace the call is about. */
  readonly host: string;
  /** Who asked, as far as the door can tell. */
  readonly actor: string;
  /** `attended` calls are cancelled when their process ends; `detached` ones go on without their caller. */
  readonly caller: "attended" | "detached";
  readonly receivedAtMs: number;
  /** What its caller calls it, so that making it again is not making it twice. */
  readonly key?: string | undefined;
}

export interface ResolvedCall extends RawCall {
  readonly tool: Tool;
}

export interface ValidCall extends ResolvedCall {
  readonly input: JsonObject;
}

export interface PlannedCall extends ValidCall {
  readonly plan: Plan;
  readonly preview?: Preview | undefined;
}

export type Risk = "LOW" | "MEDIUM" | "HIGH";

/** What the rules say of one touch. */
export interface TouchVerdict {
  readonly touch: Touch;
  readonly effect: Effect;
  readonly ruleId: string | null;
  readonly because: string | null;
  /** Why the rule could not be decided, which makes it a deny (`POLICY_FAULT`). */
  readonly fault?: string;
  /** For a tree that may be read: patterns of what inside it a stricter rule covers, or may cover. */
  readonly hide?: readonly string[];
}

export interface Verdict {
  readonly effect: "allow" | "ask";
  readonly ruleId: string;
  readonly touches: readonly TouchVerdict[];
  readonly risk: Risk;
}

export interface JudgedCall extends PlannedCall {
  readonly preview?: (() => Promise<string>) | undefined;
  readonly verdict: Verdict;
  readonly seal: Seal;
}

/** By whose word the call runs. */
export interface Approval {
  readonly by: "rule" | "person" | "automatic";
  readonly who: string;
}

export interface ApprovedCall extends JudgedCall {
  readonly approval: Approval;
}

/**
 * A definition and its runner. `Input` is what the author knows of the arguments once `check` has passed them;
 * the methods are bivariant on purpose, so that the catalog can hold tools of any input.
 */
export interface Tool<Input extends object = JsonObject> {
  readonly definition: ToolDefinition;
  readonly definitionDigest: Digest;
  readonly coerce: InputCoercion;
  /** Takes what `coerce` gave back. */
  readonly check: InputCheck;
  /** Why it can't be run here at all: it is planned, judged and explained, and refused before it starts. */
  readonly unavailable?: Refusal | undefined;
  /** Whether, and when, a run that failed is tried again. Left out = never. */
  readonly retry?: { readonly attemptsMax: number; readonly delayMs: (attempt: number) => number };
  /** Where its author knows it. Left out, nobody does, and a call holds all that budgets of tokens and cost have left. */
  readonly usageMax?: UsageMax;
  /** Asked just before each start: why it must not be started now. Null = it may. */
  admit?(): Refusal | null;
  /** Works out what the call would do. Reads the world, never changes it. */
  plan(call: WithInput<ValidCall, Input>, signal: AbortSignal): Promise<Draft> | Draft;
  /** Takes only what was judged and approved: running anything else does not compile. */
  run(call: WithInput<ApprovedCall, Input>, signal: AbortSignal): Run;
}

type WithInput<Call, Input> = Omit<Call, "input"> & { readonly input: Input };

export type Draft = { readonly kind: "drafted"; readonly plan: PlanDraft } | Refuse;

/** What a stage gives back: the next state of the call, or the gate's no. */
export type Step<Next> = { readonly kind: "pass"; readonly call: Next } | Refuse;

export interface Refuse {
  readonly kind: "refuse";
  readonly refusal: Refusal;
}

export const pass = <Next>(call: Next): Step<Next> => ({ kind: "pass", call });

export const refuse = (refusal: Refusal): Refuse => ({ kind: "refuse", refusal });
