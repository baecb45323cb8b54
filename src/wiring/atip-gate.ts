import { resolve } from "node:path";
import { type ExecutionPolicy, policyFindings, policyTrust } from "../atip/execution-policy.ts";
import type { Leaf } from "../atip/leaf.ts";
import type { AtipTool } from "../atip/metadata.ts";
import { policyRules } from "../atip/policy-rules.ts";
import { builtInRules } from "../config/built-in-rules.ts";
import { type Config, loadConfig } from "../config/config.ts";
import { openConditions } from "../config/open-conditions.ts";
import { digestOf } from "../domain/digest.ts";
import { Secret } from "../domain/secret.ts";
import type { GrantSource, RuleSource } from "../rules/rule.ts";
import { compileRules } from "../rules/rule-set.ts";
import { type Approver, buildGate } from "./build-gate.ts";
import type { Gate } from "./gate.ts";
import { textRedactor } from "./text-redactor.ts";

/** A described program and which of its commands there are. */
export interface AtipSet {
  readonly tool: AtipTool;
  readonly leaves: readonly Leaf[];
}

export interface AtipGateOptions {
  readonly sets: readonly AtipSet[];
  readonly policy: ExecutionPolicy;
  /** The workspace. */
  readonly cwd: string;
  readonly stateDir?: string;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly env: Readonly<Record<string, string>>;
  readonly shell: boolean;
  /** What programs may do beside what the policy and their effects say. */
  readonly grant: GrantSource;
  readonly redaction: "on" | "off";
  /** What is taken out beside that, of all that leaves the gate. */
  readonly redactPatterns?: readonly RegExp[];
  readonly approver: Approver;
}

/** A gate for described programs alone, ruled by a policy of the seed's form. */
export function openAtipGate(options: AtipGateOptions): Gate {
  const { sets, cwd, stateDir, approver, redaction, redactPatterns } = options;
  const loaded = loadConfig({ path: null, workspaceOverride: cwd, variables: {} });
  if (!loaded.ok) throw new TypeError(loaded.problems.map(({ message }) => message).join("; "));
  const { config } = loaded;
  const own = { workspace: config.workspace, stateDir: stateDir === undefined ? config.stateDir : resolve(stateDir) };
  const sources = [...builtInRules({ ...own, configPaths: [] }), ...sets.flatMap((set) => rulesOf(set, options))];
  const compiled = compileRules(sources, { workspace: own.workspace, conditions: openConditions() });
  if (!compiled.ok) throw new TypeError(compiled.problems.map(({ message }) => message).join("; "));
  const ruled: Config = {
    ...config,
    ...own,
    builtin: [],
    rules: compiled.rules,
    ownRules: sources.length,
    redactor: textRedactor(redaction, redactPatterns),
    atip: sets.map((set) => entryOf(set, options)),
  };
  return buildGate({ config: ruled, approver });
}

function entryOf(
  { tool, leaves }: AtipSet,
  { policy, timeoutMs, outputBytes, env, shell }: AtipGateOptions,
): Config["atip"][number] {
  const secrets = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, new Secret(value)]));
  const word = { trust: policyTrust(tool, policy) };
  const settings = { timeoutMs, outputBytes, secrets, shell, form: "streams" as const };
  return { file: tool.name, textHash: digestOf(tool), tool, leaves, word, ...settings };
}

/** What the policy lets through, as rules, and what it stops. */
function rulesOf({ tool, leaves }: AtipSet, { policy, grant }: AtipGateOptions): readonly RuleSource[] {
  const id = `atip:${tool.name}`;
  const groups = Map.groupBy(leaves, (leaf) => reachOf(leaf, policy));
  const allows = [...groups].flatMap(([reach, some]): readonly RuleSource[] => {
    const tools = some.map(({ name }) => name);
    const mayConnect = reach.includes("connect");
    const write = [...(reach.includes("write") ? ["./**"] : []), ...(grant.write ?? [])];
    const connect = [...(mayConnect ? ["*:*"] : []), ...(grant.connect ?? [])];
    const granted = { ...(grant.read && { read: grant.read }), write, connect };
    return [
      // Every word of its own: whoever described a flag has named it, and no value ever is one.
      { id: `${id}:${reach}`, effect: "allow", tools, when: 'touch.kind == "exec"', ...nonEmpty(granted) },
      {
        id: `${id}:${reach}-places`,
        effect: "allow",
        tools,
        touch: { read: ["./**", ...(grant.read ?? [])], ...(connect.length > 0 && { connect }) },
      },
    ];
  });
  const trust = policyTrust(tool, policy);
  return [...allows, ...policyRules(id, leaves, ({ effects }) => policyFindings(effects, trust, policy))];
}

/** What its program may do by itself: what it says that it does, as far as the policy lets it. */
function reachOf({ effects }: Leaf, policy: ExecutionPolicy): string {
  const mayWrite = policy.allowFilesystemWrite !== false && effects.filesystem?.write !== false;
  const mayConnect = policy.allowNetwork !== false && effects.network !== false;
  return `run${mayWrite ? "-write" : ""}${mayConnect ? "-connect" : ""}`;
}

/** A rule does not grant an empty list. */
function nonEmpty(grant: GrantSource): { readonly grant?: GrantSource } {
  const kept = Object.fromEntries(Object.entries(grant).filter(([, patterns]) => patterns.length > 0));
  return Object.keys(kept).length === 0 ? {} : { grant: kept };
}
