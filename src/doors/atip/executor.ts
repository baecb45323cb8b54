import { buildArgv } from "../../atip/build-argv.ts";
import type { Progress } from "../../domain/tool.ts";
import { openAtipGate } from "../../wiring/atip-gate.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type BatchResult, type BatchSettings, inTurn } from "./batch.ts";
import { ArgumentValidationError, AtipExecuteError, UnknownCommandError } from "./errors.ts";
import { everywhere, filterSecrets, formatResult } from "./formatting.ts";
import { type CommandMap, commandMap } from "./mapping.ts";
import { ownArguments } from "./offered.ts";
import { type Made, settled } from "./outcome-error.ts";
import { checkPolicy } from "./policy.ts";
import { type Limits, limitsOf } from "./settings.ts";
import type {
  CommandMapping,
  Executed,
  ExecutionResult,
  ExecutorConfig,
  ExecutorPolicy,
  PolicyCheckResult,
  ToolCall,
  ValidationResult,
} from "./types.ts";
import { validateToolCall } from "./validation.ts";

export type StreamPart =
  | { readonly type: "stdout" | "stderr"; readonly data: string }
  | { readonly type: "result"; readonly result: Executed };

/**
 * Described programs for an agent, with a policy. A face of the gate: every call goes through it, is judged by rules that
 * the policy was made into, runs in the sandbox, and is in the ledger.
 */
export class Executor implements AsyncDisposable {
  readonly #config: ExecutorConfig;
  readonly #map: CommandMap;
  readonly #limits: Limits;
  readonly #policy: ExecutorPolicy;
  #gate: Gate | null = null;

  constructor(config: ExecutorConfig) {
    this.#config = config;
    this.#policy = config.policy ?? {};
    this.#limits = limitsOf(config.execution ?? {});
    this.#map = commandMap(config.tools, config.separator === undefined ? {} : { separator: config.separator });
  }

  /** Throws one of the errors of this API where there is no result: see `errors.ts`. A command that fails has one. */
  async execute(call: ToolCall, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Executed> {
    const result = await this.#settled(call, this.#listener(), signal);
    if (result instanceof AtipExecuteError) throw result;
    return result;
  }

  /** All of them, in their order; with `parallel`, those side by side that only read. */
  executeBatch(calls: readonly ToolCall[], settings: BatchSettings = {}): Promise<BatchResult> {
    const isQuiet = (call: ToolCall) => onlyReads(this.#map.find(call.name));
    return inTurn(calls, settings, isQuiet, (call) => this.#settled(call, this.#listener()));
  }

  /** What it prints while it runs, and last its result. Leaving the loop stops it. */
  async *executeStream(call: ToolCall): AsyncGenerator<StreamPart, void, void> {
    const made = this.#made(call);
    const events = this.#open().stream({ tool: made.mapping.name, input: made.context.arguments });
    for await (const event of events) {
      if (event.kind === "progress") yield { type: event.from ?? "stdout", data: event.message };
      else {
        const result = await settled(event.outcome, made, this.#open());
        if (result instanceof AtipExecuteError) throw result;
        yield { type: "result", result: this.#formatted(result) };
      }
    }
  }

  /** Without making it. */
  validate(call: ToolCall): ValidationResult {
    const mapping = this.#map.find(call.name);
    if (mapping === null) {
      const message = `no command is called \`${call.name}\``;
      return {
        valid: false,
        errors: [{ code: "UNKNOWN_COMMAND", parameter: "", message }],
        warnings: [],
        arguments: {},
      };
    }
    return validateToolCall({ ...call, arguments: ownArguments(call, mapping) }, mapping);
  }

  checkPolicy(call: ToolCall): PolicyCheckResult {
    return checkPolicy(call, this.mapCommand(call), this.#policy);
  }

  mapCommand(call: Pick<ToolCall, "name">): CommandMapping {
    const mapping = this.#map.find(call.name);
    if (mapping === null) throw new UnknownCommandError(call.name);
    return mapping;
  }

  /** The metadata of the tool that a command is of. */
  getMetadata(name: string): CommandMapping["tool"] | null {
    return this.#map.find(name)?.tool ?? this.#config.tools.find((tool) => tool.name === name) ?? null;
  }

  async close(): Promise<void> {
    await this.#gate?.close();
    this.#gate = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #settled(call: ToolCall, onProgress: Listener, signal?: AbortSignal): Promise<Executed | AtipExecuteError> {
    let made: Made;
    try {
      made = this.#made(call);
    } catch (error) {
      if (error instanceof AtipExecuteError) return error;
      throw error;
    }
    const gate = this.#open();
    const options = { ...(onProgress && { onProgress }), ...(signal && { signal }) };
    const outcome = await gate.call({ tool: made.mapping.name, input: made.context.arguments }, options);
    const result = await settled(outcome, made, gate);
    return result instanceof AtipExecuteError ? result : this.#formatted(result);
  }

  /** What is wrong with a call before the gate sees it: a name that means nothing, arguments that are none. */
  #made(call: ToolCall): Made {
    const mapping = this.mapCommand(call);
    if (call.problem !== undefined)
      throw new ArgumentValidationError([{ code: "INVALID_FORMAT", parameter: "", message: call.problem }]);
    const given = ownArguments(call, mapping);
    const { reasons, effects, trust } = checkPolicy(call, mapping, this.#policy);
    const built = buildArgv(mapping.leaf, validateToolCall({ arguments: given }, mapping).arguments);
    const command = built.ok ? built.argv : mapping.baseCommand;
    return {
      mapping,
      policy: this.#policy,
      about: { command, toolCallId: call.id, toolName: mapping.name, limits: this.#limits },
      context: { toolName: mapping.name, command, arguments: given, reasons, effects, trust },
      clean: this.#clean,
    };
  }

  /** The gate has looked at each line already; a pattern may also go over several. */
  readonly #clean = (text: string): string =>
    filterSecrets(text, { builtin: false, patterns: this.#config.output?.redactPatterns ?? [] });

  #open(): Gate {
    const { cwd = process.cwd(), env = {}, shell = false, grant = {}, stateDir } = this.#config.execution ?? {};
    const sets = Map.groupBy(this.#map.entries(), ({ tool }) => tool);
    this.#gate ??= openAtipGate({
      sets: [...sets].map(([tool, entries]) => ({ tool, leaves: entries.map(({ leaf }) => leaf) })),
      policy: this.#policy,
      timeoutMs: this.#limits.timeout,
      outputBytes: this.#limits.maxOutputSize,
      redaction: this.#config.output?.redactSecrets === false ? "off" : "on",
      redactPatterns: (this.#config.output?.redactPatterns ?? []).map(everywhere),
      approver: this.#approver(),
      ...{ cwd, env, shell, grant },
      ...(stateDir !== undefined && { stateDir }),
    });
    return this.#gate;
  }

  /** No handler, no yes: a question that nobody is there to answer is answered with no. */
  #approver(): Approver {
    const { confirmationHandler } = this.#policy;
    return {
      ask: async ({ plan }) => {
        const mapping = this.#map.find(plan.tool);
        if (mapping === null || confirmationHandler === undefined)
          return { kind: "reject", who: "toolgate/atip", reason: "there is no confirmationHandler" };
        const { reasons, effects, trust } = checkPolicy(null, mapping, this.#policy);
        const command = plan.sandbox?.argv ?? mapping.baseCommand;
        const context = { toolName: plan.tool, command, arguments: plan.input, reasons, effects, trust };
        const isWanted = (await confirmationHandler(context)) === true;
        return { kind: isWanted ? "approve" : "reject", who: "confirmationHandler" };
      },
    };
  }

  #formatted(result: ExecutionResult): Executed {
    return { ...result, formatted: formatResult(result, this.#config.output ?? {}) };
  }

  #listener(): Listener {
    const { onStdout, onStderr } = this.#config.execution ?? {};
    if (onStdout === undefined && onStderr === undefined) return undefined;
    return ({ message, from }) => (from === "stderr" ? onStderr?.(message) : onStdout?.(message));
  }
}

type Listener = ((progress: Progress) => void) | undefined;

/** Said in so many words: what only reads can't get in another's way. */
function onlyReads(mapping: CommandMapping | null): boolean {
  const { filesystem, destructive, deletes = [], network, idempotent } = mapping?.effects ?? {};
  const leavesFiles = filesystem?.write === false && filesystem.delete !== true && destructive === false;
  return leavesFiles && deletes.length === 0 && (network === false || idempotent === true);
}

export const createExecutor = (config: ExecutorConfig): Executor => new Executor(config);
