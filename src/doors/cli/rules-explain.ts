import { isSlipOf } from "../../domain/nearest.ts";
import { touchInWords, uncoveredWord } from "../../domain/touch-in-words.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import {
  type CoveringRule,
  type ExplainedWords,
  type RulesInspection,
  TOUCH_WORDS,
} from "../../wiring/inspect-rules.ts";
import { CommandLineError, type Invocation, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { rulesCheck, tellUntrusted } from "./rules-check.ts";
import type { Paint } from "./terminal.ts";

const COLOUR = { allow: "green", ask: "yellow", deny: "red" } as const;

/** Which rules cover a touch, and which decides. Without rules that load there is nothing to explain but that. */
export function rulesExplain(inspection: RulesInspection, invocation: Invocation, words: readonly string[]): number {
  const { flags, terminal } = invocation;
  if (words.length === 0)
    throw new CommandLineError("nothing to explain is given", 'write `toolgate rules explain "read ./src/a.ts"`');
  const { inForce } = inspection;
  if (inForce === null) return rulesCheck(inspection, invocation);
  mustBeKind(words.join(" "));
  const tool = flags["tool"];
  const explained = inForce.explain(words.join(" "), typeof tool === "string" ? tool : undefined);
  if ("error" in explained) throw new UsageError(explained.error, explained.hint);
  terminal.out(
    flags["json"]
      ? `${visibleJson(asJson(explained))}\n`
      : explained.map((one) => asText(one, inForce.workspace, terminal.outPaint)).join(""),
  );
  tellUntrusted(inspection, invocation);
  return EXIT.ok;
}

/** INVARIANT (no silent command): a mistyped kind would be explained as the command of that name. */
function mustBeKind(text: string): void {
  const [first = ""] = text.trim().split(/\s/, 1);
  const meant = TOUCH_WORDS.find((kind) => isSlipOf(first, kind));
  if (meant === undefined) return;
  throw new UsageError(
    `\`${visibleLine(first)}\` is not a kind of touch: did you mean \`${meant}\``,
    `for a command of that name, write \`exec\` before it`,
  );
}

/** One touch is an object, what touches several is a list of them. */
function asJson(explained: readonly ExplainedWords[]): object {
  const each = explained.map(({ verdict: { touch, effect, ...rest }, covering }) => {
    return { touch, decision: effect, ...rest, covering };
  });
  return each.length === 1 ? (each[0] as object) : each;
}

function asText({ verdict, covering }: ExplainedWords, workspace: string, paint: Paint): string {
  const { touch, effect, ruleId, fault } = verdict;
  const lines = [
    `${paint(COLOUR[effect], effect)} ${visibleLine(touchInWords(touch, workspace))}  ${paint("bold", ruleId ?? "no rule covers it")}`,
    ...(ruleId === null && uncoveredWord(touch) !== null ? [`  ${visibleLine(uncoveredWord(touch) ?? "")}`] : []),
    ...covering.map((rule) => coveringLine(rule, rule.ruleId === ruleId, paint)),
    ...(fault ? [`  ${visibleLine(fault)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function coveringLine(
  { ruleId, effect, because, otherwise, fault }: CoveringRule,
  decides: boolean,
  paint: Paint,
): string {
  const word = fault ? "fault" : effect;
  const notes = [...(otherwise ? ["only where no other rule speaks"] : []), ...(because ? [because] : [])];
  const mark = decides ? paint("bold", ">") : " ";
  return `${mark} ${paint(COLOUR[effect], word.padEnd(5))} ${ruleId}${notes.length > 0 ? `  ${paint("dim", visibleLine(notes.join("; ")))}` : ""}`;
}
