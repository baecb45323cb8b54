import type { Tool } from "../../domain/call.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isLater, type Now } from "../../domain/now.ts";
import type { Content } from "../../domain/outcome.ts";
import type { RunResult, Usage, UsageMax } from "../../domain/tool.ts";
import type { ToolEffects, Trust } from "../../domain/tool-effects.ts";
import type { Touch } from "../../domain/touch.ts";
import { isTrustedAs } from "../../rules/trust.ts";
import { makeTool } from "../make-tool.ts";
import { isToolError } from "./tool-error.ts";

/** A tool written in TypeScript that runs in the gate's own process. */
export interface FunctionTool<Input extends object = JsonObject> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly timeoutMs?: number;
  /** What running it does, as far as its author says: rules believe what makes a decision stricter, and no more. */
  readonly effects?: ToolEffects;
  /** Whose word this is. More than `user` is not for the tool itself to say, and counts as `user`. */
  readonly trust?: Trust;
  /**
   * The most that one call uses of models: `{ tokens: 0, costMicros: 0 }` where it asks none. Under a lease with a budget of
   * tokens or cost, calls that say so may run at the same time; others run one at a time, as nobody knows what they will use.
   */
  readonly usageMax?: UsageMax;
  /** What the call would do. Left out, nobody can tell, and only a rule that names `unknown` lets it run. */
  readonly touches?: (input: Input) => readonly [Touch, ...Touch[]];
  /** Throws a `ToolError` where something went wrong that the caller should read of. */
  readonly execute: (input: Input, signal: AbortSignal) => Now<FunctionResult>;
}

export type FunctionResult =
  | string
  | {
      readonly content: readonly Content[];
      readonly structured?: JsonObject;
      /** Of a tool that asked a model: what budgets count. Left out, it counts as the most that it could have been. */
      readonly usage?: Usage;
    };

export function defineTool<Input extends object = JsonObject>(tool: FunctionTool<Input>): Tool<Input> {
  const { name, description, inputSchema, timeoutMs = LIMITS.toolTimeoutMs.default, touches, execute } = tool;
  const { effects, trust, usageMax } = tool;
  if (usageMax !== undefined && !(isAmount(usageMax.tokens) && isAmount(usageMax.costMicros)))
    throw new TypeError(`tool \`${name}\`: its \`usageMax\` has to say whole numbers of \`tokens\` and \`costMicros\``);
  return makeTool<Input>({
    definition: {
      name,
      description,
      source: "function",
      containment: "process",
      inputSchema,
      timeoutMs,
      ...(effects && { effects: structuredClone(effects) }),
      ...(trust && { trust: isTrustedAs(trust, CLAIM_MAX) ? CLAIM_MAX : trust }),
    },
    ...(usageMax && { usageMax: { tokens: usageMax.tokens, costMicros: usageMax.costMicros } }),
    plan: ({ input }) => ({ kind: "drafted", plan: { touches: touchesOf(touches?.(input)), operands: [] } }),
    run: ({ input }, signal) => {
      try {
        const result = execute(input, signal);
        return isLater(result) ? Promise.resolve(result).then(completed).catch(told) : completed(result);
      } catch (thrown) {
        return told(thrown);
      }
    },
  });
}

function completed(result: FunctionResult): RunResult {
  if (typeof result === "string") return { kind: "completed", content: [{ type: "text", text: result }] };
  // Not everybody's `execute` is TypeScript.
  if (!Array.isArray(result?.content)) throw new TypeError("`execute` gave back neither a text nor `content`");
  const { content, structured, usage } = result;
  return { kind: "completed", content, ...(structured !== undefined && { structured }), ...(usage && { usage }) };
}

function told(thrown: unknown): RunResult {
  if (!isToolError(thrown)) throw thrown;
  const { message, retryable } = thrown;
  return {
    kind: "failed",
    error: {
      code: "TOOL_FAILED",
      message: message === "" ? "the tool failed" : message,
      retryable: retryable === true,
    },
    content: [],
  };
}

const isAmount = (given: unknown): boolean => Number.isSafeInteger(given) && (given as number) >= 0;

/** Who embeds the gate can't be told from who wrote the tool. */
const CLAIM_MAX: Trust = "user";

/** Nothing said is nothing known: an empty list does not make a call harmless. */
const touchesOf = (said: readonly Touch[] | undefined): readonly [Touch, ...Touch[]] => {
  const own = said?.map(ownTouch) ?? [];
  return hasOne(own) ? own : UNKNOWN;
};

const hasOne = (touches: readonly Touch[]): touches is readonly [Touch, ...Touch[]] => touches.length > 0;

/** INVARIANT (judged = recorded): what the tool later changes in an object that it gave us changes nothing here. */
function ownTouch(touch: Touch): Touch {
  switch (touch.kind) {
    case "exec":
      return { ...touch, argv: touch.argv.map((word) => ({ ...word })) };
    case "git":
      return { ...touch, arguments: [...touch.arguments] };
    default:
      return { ...touch };
  }
}

const UNKNOWN = [{ kind: "unknown", reason: "the tool does not say what it touches" }] as const;
