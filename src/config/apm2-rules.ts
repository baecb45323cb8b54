import type { RuleSource } from "../rules/rule.ts";
import type { TouchSelector } from "../rules/touch-selector.ts";
import { APM2_TOOLS, type Apm2Tool, isApm2Tool } from "./apm2-tools.ts";

/** A rule of an APM2 policy, once its shape has been checked. */
export interface Apm2Rule {
  readonly id: string;
  readonly type: string;
  readonly decision: "allow" | "deny";
  readonly tool?: string;
  readonly paths?: readonly string[];
  readonly commands?: readonly string[];
  readonly hosts?: readonly string[];
  readonly ports?: readonly number[];
  readonly rationale_code?: string;
  readonly reason?: string;
}

export type Translated =
  | { readonly rules: readonly RuleSource[] }
  | { readonly problem: string; readonly hint?: string };

/**
 * The same as a rule of ours, or several. What restricts something and has no counterpart is a problem: leaving it out would
 * let more through than the policy does.
 */
export function rulesFromApm2(rule: Apm2Rule): Translated {
  switch (rule.type) {
    case "tool_allow":
    case "tool_deny":
      return toolRules(rule);
    case "filesystem":
      if (empty(rule.paths)) return { problem: "a `filesystem` rule needs `paths`" };
      return numbered(rule, [{ touch: pathTouches(rule, rule.paths, ["read", "write"]) }]);
    case "network":
      return networkRules(rule);
    case "inference":
      return numbered(rule, [{ tools: ["infer"] }]);
    case "budget":
      return { problem: "a `budget` is no rule here", hint: "write it into the lease: `budget: { calls: 100 }`" };
    default:
      return {
        problem: `rules of the type \`${rule.type}\` have no counterpart here`,
        hint: "write a rule of your own",
      };
  }
}

function toolRules(rule: Apm2Rule): Translated {
  const wanted = rule.type === "tool_allow" ? "allow" : "deny";
  if (rule.decision !== wanted) return { problem: `a \`${rule.type}\` rule has to decide \`${wanted}\`` };
  if (rule.tool === undefined && empty(rule.paths) && empty(rule.commands))
    return { problem: `a \`${rule.type}\` rule needs \`tool\`, \`paths\` or \`commands\`` };
  const pattern = rule.tool ?? "*";
  const meant = APM2_TOOLS.filter(({ name }) => isApm2Tool(pattern, name));
  if (meant.length === 0)
    return { problem: `no tool of APM2 is called \`${pattern}\`, so that the rule would do nothing` };
  const parts = [...pathParts(rule, meant), ...commandParts(rule, meant)];
  if (parts.length > 0) return numbered(rule, parts);
  if (!empty(rule.paths) || !empty(rule.commands))
    return { problem: `\`${pattern}\` has neither paths nor commands, so that the rule would do nothing` };
  return numbered(rule, wholeParts(pattern, meant));
}

type Part = Pick<RuleSource, "tools" | "touch">;

function pathParts(rule: Apm2Rule, meant: readonly Apm2Tool[]): readonly Part[] {
  const files = meant.filter(({ name }) => name.startsWith("fs."));
  if (empty(rule.paths) || files.length === 0) return [];
  const isWriting = files.some(({ name }) => name === "fs.write" || name === "fs.edit");
  const touch = pathTouches(rule, rule.paths, isWriting ? ["read", "write"] : ["read"]);
  return [{ tools: files.flatMap(({ tools }) => tools), touch }];
}

/** Deleting is writing to who forbids it; who allows writing has not said so. */
const pathTouches = (
  { decision }: Apm2Rule,
  paths: readonly string[],
  kinds: readonly ("read" | "write")[],
): TouchSelector => {
  const own = paths.map(pathFromApm2);
  const isDeny = decision === "deny" && kinds.includes("write");
  return { ...Object.fromEntries(kinds.map((kind) => [kind, own])), ...(isDeny && { delete: own }) };
};

/** What does not begin at the root begins in the workspace. */
const pathFromApm2 = (pattern: string): string =>
  /^(?:\/|\.\/|\*\*(?:\/|$))/.test(pattern) ? pattern : `./${pattern}`;

function commandParts(rule: Apm2Rule, meant: readonly Apm2Tool[]): readonly Part[] {
  if (empty(rule.commands) || !meant.some(({ name }) => name === "shell.exec")) return [];
  return [{ tools: ["run_command", "execute_command"], touch: { exec: rule.commands.map(commandFromApm2) } }];
}

/** There `*` is any text of a line; here `**` is any words of one command, and each command of a line is judged by itself. */
export const commandFromApm2 = (pattern: string): string => pattern.trim().replace(/(^|\s)\*(?=\s|$)/g, "$1**");

function wholeParts(pattern: string, meant: readonly Apm2Tool[]): readonly Part[] {
  if (pattern === "*") return [{}];
  const tools = [...new Set(meant.filter(({ git }) => git === undefined).flatMap((tool) => tool.tools))];
  const operations = meant.flatMap(({ git }) => git ?? []);
  return [
    ...(tools.length > 0 ? [{ tools }] : []),
    ...(operations.length > 0 ? [{ tools: ["git"], touch: { git: operations } }] : []),
  ];
}

/** Where an allow names no port, those of the web are meant; where a deny names none, all are. */
function networkRules(rule: Apm2Rule): Translated {
  if (empty(rule.hosts) && empty(rule.ports)) return { problem: "a `network` rule needs `hosts` or `ports`" };
  const hosts = empty(rule.hosts) ? ["*"] : rule.hosts;
  const ports = empty(rule.ports) ? (rule.decision === "deny" ? ["*"] : ["443", "80"]) : rule.ports.map(String);
  return numbered(rule, [{ touch: { connect: hosts.flatMap((host) => ports.map((port) => `${host}:${port}`)) } }]);
}

const empty = (list: readonly unknown[] | undefined): list is undefined => list === undefined || list.length === 0;

function numbered(rule: Apm2Rule, parts: readonly Part[]): Translated {
  const { id, decision: effect, type, rationale_code = `${type.toUpperCase()}_MATCHED`, reason } = rule;
  const because = `${rationale_code}: ${reason ?? `Rule ${id} applied`}`;
  return {
    rules: parts.map((part, index) => ({ id: index === 0 ? id : `${id}-${index + 1}`, effect, ...part, because })),
  };
}
