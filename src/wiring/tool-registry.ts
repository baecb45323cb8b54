import type { Tool } from "../domain/call.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { PersonsAnswer, ShownPlan } from "../domain/question.ts";
import { type ToolUsed, toolUsed } from "../domain/tool-used.ts";
import { outcomeAsText } from "../formats/shown-content.ts";
import { defineTool, type FunctionTool } from "../tools/function/define-tool.ts";
import type { Gate } from "./gate.ts";
import { type OpenGateOptions, openGate } from "./open-gate.ts";

export type { ToolUsed };

/** What a person chooses when they are asked. Only `always` and `never` are remembered, as rules about this very thing. */
export type ToolPermission = "always" | "once" | "deny" | "never";

export interface RegistryOptions extends Omit<OpenGateOptions, "tools" | "approver"> {
  /** Shows a question to a person. Left out: it waits for another door. */
  readonly onPermission?: (question: ShownPlan) => Promise<ToolPermission>;
  readonly onToolUsed?: (event: ToolUsed) => void;
}

/** A use that gave no result: refused, failed, or of unknown end. */
export class ToolUseError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcomeAsText(outcome));
    this.outcome = outcome;
  }
}

/**
 * The registry of the Zed seed, with the gate inside: what is registered is called by `execute` through rules, questions and
 * the ledger like any other tool. INVARIANT (open once): tools are registered before the first use.
 */
export class ToolRegistry {
  readonly #options: RegistryOptions;
  readonly #tools = new Map<string, Tool>();
  #gate: Promise<Gate> | null = null;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  register<Input extends object = JsonObject>(tool: FunctionTool<Input>): void {
    if (this.#gate !== null) throw new TypeError("the registry is in use: register all tools before the first use");
    if (this.#tools.has(tool.name)) throw new TypeError(`two tools are called \`${tool.name}\``);
    this.#tools.set(tool.name, defineTool(tool) as unknown as Tool);
  }

  /** The result as text. Throws a `ToolUseError` for everything else. */
  async execute(name: string, input: JsonValue): Promise<string> {
    const outcome = await (await this.#open()).call({ tool: name, input });
    this.#options.onToolUsed?.(toolUsed(outcome));
    if (outcome.kind !== "completed") throw new ToolUseError(outcome);
    return outcomeAsText(outcome);
  }

  /** Of all tools that can be used: the built-in ones, those of upstream servers, and those that were registered. */
  async getDefinitions(): Promise<readonly Pick<FunctionTool, "name" | "description" | "inputSchema">[]> {
    const gate = await this.#open();
    await gate.upstreams.ready();
    return gate.tools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  async close(): Promise<void> {
    if (this.#gate !== null) await (await this.#gate).close();
  }

  #open(): Promise<Gate> {
    if (this.#gate !== null) return this.#gate;
    const { onPermission, onToolUsed: _, ...options } = this.#options;
    const opening = openGate({
      ...options,
      tools: [...this.#tools.values()],
      ...(onPermission && {
        approver: { ask: async (shown) => await answered(await onPermission(shown), shown, await opening) },
      }),
    });
    this.#gate = opening;
    return opening;
  }
}

/** `always` and `never` become the narrowest rule for this plan, and never one for the tool as a whole. */
async function answered(chosen: ToolPermission, shown: ShownPlan, gate: Gate): Promise<PersonsAnswer> {
  const kind = chosen === "always" || chosen === "once" ? "approve" : "reject";
  if (chosen === "always" || chosen === "never") {
    const proposal = gate.always.propose(shown, kind);
    if (proposal.ok) await gate.always.save(proposal.rule);
  }
  return { kind, who: gate.actor };
}
