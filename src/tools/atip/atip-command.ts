import { buildArgv } from "../../atip/build-argv.ts";
import { definitionOf } from "../../atip/definition.ts";
import type { Leaf } from "../../atip/leaf.ts";
import { type LeafCheck, leafCheck } from "../../atip/leaf-check.ts";
import { ownInputOf } from "../../atip/own-input.ts";
import { isMany, parametersOf } from "../../atip/parameter-schema.ts";
import { asScript } from "../../domain/as-script.ts";
import { type ApprovedCall, type Draft, refuse, type Tool, type ValidCall } from "../../domain/call.ts";
import { type Digest, digestOf } from "../../domain/digest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import type { InputCheck, InputCoercion, Run, ToolDefinition } from "../../domain/tool.ts";
import type { Trust } from "../../domain/tool-effects.ts";
import type { Touch } from "../../domain/touch.ts";
import type { ProgramHashes, Programs } from "../../ports/programs.ts";
import { addressTouch } from "../sandboxed/address-touch.ts";
import { planArgv } from "../sandboxed/plan-argv.ts";
import { COMMAND_LIMITS, type ProgramPorts, runProgram } from "../sandboxed/run-program.ts";
import { commandOutput, type OutputForm } from "./command-output.ts";

export interface AtipPorts extends ProgramPorts {
  readonly programs: Programs;
  readonly hashes: ProgramHashes;
}

/** What is said of all commands of a program. */
export interface AtipProgram {
  readonly trust: Trust;
  /** SHA-256 of the program that the description is about; null = nobody says. */
  readonly sha256: string | null;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  /** Variables that it gets. */
  readonly secrets?: Readonly<Record<string, Secret>>;
  /** How its output is given back: as a text for a model, or each of the two as it is. Left out = as a text. */
  readonly form?: OutputForm;
  /** Started by bash, each word in quotes: for programs that want to be. */
  readonly shell?: boolean;
}

/**
 * One command of a described program as a tool: argv in the sandbox, no shell. A catalog may have thousands of them, of
 * which few are called: what only a call needs is made when the first one comes.
 */
export class AtipCommand implements Tool {
  readonly definition: ToolDefinition;
  readonly #leaf: Leaf;
  readonly #program: AtipProgram;
  readonly #ports: AtipPorts;
  #digest: Digest | null = null;
  #check: LeafCheck | null = null;

  constructor(leaf: Leaf, program: AtipProgram, ports: AtipPorts) {
    this.#leaf = leaf;
    this.#program = program;
    this.#ports = ports;
    this.definition = definitionOf(leaf, program.trust, timeoutOf(leaf, program));
  }

  get definitionDigest(): Digest {
    this.#digest ??= digestOfCommand(this.definition, this.#leaf, this.#program);
    return this.#digest;
  }

  get coerce(): InputCoercion {
    return this.#checks().coerce;
  }

  get check(): InputCheck {
    return this.#checks().check;
  }

  /** Never without a sandbox. Asked anew each time, since nobody looks for one before it is needed. */
  get unavailable(): Refusal | undefined {
    const missing = this.#ports.sandbox.missing();
    return missing === null ? undefined : { ...missing, stage: "execute" };
  }

  async plan({ input }: ValidCall): Promise<Draft> {
    const { sha256, shell, secrets = {} } = this.#program;
    const built = buildArgv(this.#leaf, input);
    if (!built.ok) return refuse(INVALID);
    const changed = await whyChanged(this.#leaf.program, sha256, this.#ports);
    if (changed !== null) return refuse(changed);
    const argv = shell === true ? inShell(built.argv) : built.argv;
    const wanted = { argv, operands: pathsIn(this.#leaf, input), more: addressesIn(this.#leaf, input) };
    return withSecrets(await planArgv(wanted, this.#ports), Object.keys(secrets));
  }

  run(call: ApprovedCall, signal: AbortSignal): Run {
    const { sandbox, timeoutMs } = call.plan;
    if (sandbox === undefined) throw new TypeError("the plan of a command has a program");
    const { outputBytes, form, secrets: env = {} } = this.#program;
    const [first = "", ...rest] = sandbox.argv;
    const output = commandOutput(
      outputBytes,
      { signal, timeoutMs, ignored: ignoredIn(call.rawInput, this.#leaf) },
      form,
    );
    const run = { argv: [first, ...rest] as const, cwd: sandbox.cwd, env, limits: COMMAND_LIMITS, output };
    return runProgram(call, run, this.#ports, signal);
  }

  #checks(): LeafCheck {
    this.#check ??= leafCheck(this.#leaf);
    return this.#check;
  }
}

/** What bash is given is read like every script, and holds no word of the call that is not in quotes. */
const inShell = (argv: readonly string[]): readonly [string, ...string[]] => [
  "bash",
  "--noprofile",
  "--norc",
  "-c",
  asScript(argv),
];

/** Which keys a program is given is part of what is judged and shown. */
function withSecrets(draft: Draft, names: readonly string[]): Draft {
  if (draft.kind === "refuse" || draft.plan.sandbox === undefined || names.length === 0) return draft;
  const sandbox = { ...draft.plan.sandbox, secrets: names.toSorted() };
  return { ...draft, plan: { ...draft.plan, sandbox } };
}

/** A description may shorten the time that its program has. */
function timeoutOf({ effects }: Leaf, { timeoutMs }: AtipProgram): number {
  const { minimum, maximum } = LIMITS.atipTimeoutMs;
  return Math.max(minimum, Math.min(timeoutMs, effects.duration?.timeoutMs ?? maximum, maximum));
}

/** Also how it becomes words, and of which program: two descriptions may offer the same and mean something else. */
const digestOfCommand = (definition: ToolDefinition, leaf: Leaf, { sha256, shell = false }: AtipProgram): Digest =>
  digestOf({ definition, leaf, sha256, shell } as unknown as JsonObject);

const ignoredIn = (rawInput: JsonValue, leaf: Leaf): readonly string[] =>
  isJsonObject(rawInput) ? ownInputOf(leaf)(rawInput).ignored : [];

/** INVARIANT (described = run): a description holds for one program, and is void for any other. */
async function whyChanged(name: string, sha256: string | null, ports: AtipPorts): Promise<Refusal | null> {
  if (sha256 === null) return null;
  const found = await ports.programs.resolve(name, ports.files.workspace);
  if (found === null || (await ports.hashes.sha256(found.path)) === sha256) return null;
  return {
    code: "TOOL_CHANGED",
    stage: "plan",
    message: `\`${name}\` is not the program that its description was made for`,
    hint: `look at what changed it, then describe it anew with \`toolgate tools add ${name}\``,
  };
}

const INVALID: Refusal = { code: "INVALID_ARGUMENTS", stage: "plan", message: "no command line can be made of this" };

/** Files that the call names. What of them lies outside of the workspace has to be let through by itself. */
const pathsIn = (leaf: Leaf, input: JsonObject): readonly string[] =>
  textsIn(leaf, input, ({ type }) => type === "file" || type === "directory");

const addressesIn = (leaf: Leaf, input: JsonObject): readonly Touch[] =>
  textsIn(leaf, input, ({ type }) => type === "url").map(addressTouch);

function textsIn(leaf: Leaf, input: JsonObject, isWanted: (each: { type: string }) => boolean): readonly string[] {
  return parametersOf(leaf)
    .filter(isWanted)
    .flatMap((each) => {
      const value = Object.hasOwn(input, each.name) ? (input[each.name] as JsonValue) : null;
      return isMany(each) && Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    })
    .filter((value): value is string => typeof value === "string" && value !== "");
}
