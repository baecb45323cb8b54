import type { Tool } from "../domain/call.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { ShownPlan } from "../domain/question.ts";
import { type ToolUsed, toolUsed } from "../domain/tool-used.ts";
import { outcomeAsText } from "../formats/shown-content.ts";
import type { AskedAs } from "../ports/desk.ts";
import { defineTool, type FunctionTool } from "../tools/function/define-tool.ts";
import type { Gate, GivenHere } from "./gate.ts";
import { type OpenGateOptions, openFound, openGate } from "./open-gate.ts";

export type { ToolUsed };

/** What a person chooses when they are asked. Only `always` and `never` are remembered, as rules about this very thing. */
export type ToolPermission = "always" | "once" | "deny" | "never";

export interface RegistryOptions extends Omit<OpenGateOptions, "config" | "tools" | "approver"> {
  /** The path of a `toolgate.yaml`. Left out: the one here or in a folder above, once a person has accepted it. */
  readonly config?: string;
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

  constructor(options: RegistryOptions = {}) {
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
    const { onPermission, onToolUsed: _, config, ...options } = this.#options;
    const approver = onPermission && {
      ask: async (shown: ShownPlan, { approvalId }: AskedAs) =>
        answered(await onPermission(shown), { shown, approvalId }, await opening),
    };
    const all = { ...options, tools: [...this.#tools.values()], ...(approver && { approver }) };
    const opening: Promise<Gate> = config === undefined ? openFound(all) : openGate({ ...all, config });
    this.#gate = opening;
    return opening;
  }
}

/** `always` and `never` become the narrowest rule for this plan, once the answer counts, and never one for the tool as a whole. */
function answered(
  chosen: ToolPermission,
  { shown, approvalId }: { readonly shown: ShownPlan; readonly approvalId: string },
  gate: Gate,
): GivenHere {
  const kind = chosen === "always" || chosen === "once" ? "approve" : "reject";
  const said = { kind, who: gate.actor } as const;
  const proposal = chosen === "always" || chosen === "never" ? gate.always.propose(shown, kind) : null;
  return proposal?.ok
    ? { ...said, onCounted: () => gate.always.save(proposal, { who: gate.actor, approvalId }) }
    : said;
}
