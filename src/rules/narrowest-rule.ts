import { digestOf } from "../domain/digest.ts";
import { type ExecTouch, isFileTouch, type Touch, type Word } from "../domain/touch.ts";
import { modelText } from "./model-pattern.ts";
import { literalPattern } from "./path-component.ts";
import type { GrantSource, RuleSource } from "./rule.ts";
import type { TouchSelector } from "./touch-selector.ts";

export type NarrowestRule =
  | { readonly ok: true; readonly rule: RuleSource }
  /** Why there is no rule that covers this call and nothing else. */
  | { readonly ok: false; readonly because: string };

interface Wanted {
  readonly effect: "allow" | "deny";
  readonly tool: string;
  readonly touches: readonly Touch[];
  readonly workspace: string;
  /** What its programs were to be granted. */
  readonly grant?: GrantSource | undefined;
}

/** In patterns of names only `*` has a meaning, and nothing can take it away. */
const PLAIN_NAME = /^[^*?[\]{}\\!\s\p{Cc}\p{Cs}]+$/u;

/** What a tool of somebody's own says that it touches is taken at its word, and a `*` would be any host. */
const PLAIN_HOST = /^[a-z0-9._:-]+$/;

type Patterns = Partial<Record<keyof TouchSelector, readonly string[]>>;

/** The rule that "always" stands for: this tool, touching exactly this. */
export function narrowestRule({ effect, tool, touches, workspace, grant }: Wanted): NarrowestRule {
  if (!PLAIN_NAME.test(tool)) return { ok: false, because: "no rule can name this tool and no other" };
  const touch: Record<string, string[]> = {};
  const ofMachine = touches.filter((one) => !isFileTouch(one) || one.own !== true);
  if (ofMachine.length === 0) return { ok: false, because: "it touches nothing of this machine" };
  for (const one of effect === "deny" ? withoutFolders(ofMachine) : ofMachine) {
    const patterns = patternsFor(one, workspace);
    if (typeof patterns === "string") return { ok: false, because: patterns };
    for (const [kind, more] of Object.entries(patterns)) {
      touch[kind] = [...new Set([...(touch[kind] ?? []), ...more])].sort();
    }
  }
  const when = effect === "allow" ? withinTokens(touches) : null;
  const rule = {
    effect,
    tools: [tool],
    touch,
    ...(when && { when }),
    ...(grant && { grant }),
    because: BECAUSE[effect],
  };
  return { ok: true, rule: { id: `always-${digestOf(rule).slice(0, 12)}`, ...rule } };
}

const BECAUSE = { allow: "A person said always.", deny: "A person said never." } as const;

/** An answer of this length was allowed, and not one of any. */
function withinTokens(touches: readonly Touch[]): string | null {
  const limits = touches.flatMap((touch) => (touch.kind === "model" ? [touch.tokensMax] : []));
  return limits.length === 0 ? null : `!has(touch.tokensMax) || touch.tokensMax <= ${Math.max(...limits)}`;
}

/** Who never wants this file has said nothing of others in the folder that would be made for it. */
function withoutFolders(touches: readonly Touch[]): readonly Touch[] {
  const files = touches.filter((touch) => !isFileTouch(touch) || !touch.folder);
  return files.length === 0 ? touches : files;
}

/** The patterns that match this touch and no other, or why there are none. */
function patternsFor(touch: Touch, workspace: string): Patterns | string {
  if (isFileTouch(touch)) {
    const path = pathPattern(touch.path, workspace);
    return { [touch.kind]: touch.tree ? [path, `${path}/**`] : [path] };
  }
  switch (touch.kind) {
    case "exec":
      return commandPattern(touch);
    case "connect":
      if (!PLAIN_HOST.test(touch.host)) return "no rule can name this host and no other";
      return { connect: [`${touch.host.includes(":") ? `[${touch.host}]` : touch.host}:${touch.port}`] };
    case "model": {
      const model = modelText(touch);
      return PLAIN_NAME.test(model) && Number.isSafeInteger(touch.tokensMax)
        ? { model: [model] }
        : "no rule can name this model and no other";
    }
    case "tool":
      return PLAIN_NAME.test(touch.name) ? { tool: [touch.name] } : "no rule can name this tool and no other";
    case "unknown":
      return "it does something that can't be read beforehand, and the next time that may be something else";
    default:
      return `no rule can name a \`${touch.kind}\` touch yet`;
  }
}

/** The command word for word, and the command itself, never what it was started through. */
function commandPattern({ argv, env = [], origin }: ExecTouch): Patterns | string {
  const words = [...env, ...argv];
  const unknown = words.find(({ known }) => !known);
  if (unknown !== undefined) return `\`${unknown.text}\` is known only when it runs, and may be another thing then`;
  if (origin === "elsewhere") return `the program \`${argv[0]?.text}\` lies where it can be changed`;
  if (origin === "nowhere") return `there is no program \`${argv[0]?.text}\` in a toolchain`;
  const pattern = words.map(patternWord).join(" ");
  return pattern.length > PATTERN_MAX
    ? "the command is too long for a rule that a person can read"
    : { exec: [pattern] };
}

/** As long as a config may write it. */
const PATTERN_MAX = 5000;

/** As `commandWords` reads it back. */
const patternWord = ({ text }: Word): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function pathPattern(path: string, workspace: string): string {
  if (path === workspace) return ".";
  return path.startsWith(`${workspace}/`)
    ? `./${literalPattern(path.slice(workspace.length + 1))}`
    : literalPattern(path);
}
