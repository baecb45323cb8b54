import type { Approvers } from "../src/domain/approvers.ts";
import { grantInWords, type ShownGrant } from "../src/domain/grant-in-words.ts";
import type { Operand, PlannedSandbox } from "../src/domain/plan.ts";
import type { ShownPlan } from "../src/domain/question.ts";
import { shownPath } from "../src/domain/shown-path.ts";
import { type Child, el } from "./dom.ts";
import { diffBlock, facts, foreign, foreignBlock, section, sentence, valueBlock } from "./shown.ts";
import { touchList } from "./touch-list.ts";

/** All of what a question is about: what it does first, then how, then with what. Nothing of it is cut. */
export function planShown(shown: ShownPlan): readonly HTMLElement[] {
  const { plan, touches, reasons, preview, grant, approvers = [] } = shown;
  return [
    section(
      "What it does",
      touchList(touches, plan.workspace, plan.operands),
      grant === undefined ? null : el("p", { class: "grant" }, ...sentence(grantInWords(grant))),
      ...reasons.map((reason) => el("p", { class: "reason" }, ...sentence(reason))),
      plan.confirm === undefined ? null : el("p", { class: "reason" }, ...sentence(plan.confirm)),
    ),
    ...(plan.sandbox === undefined ? [] : [programShown(plan.sandbox, grant)]),
    ...(preview === undefined ? [] : [section("Change", diffBlock(preview))]),
    section("Input", ...inputShown(plan.input)),
    section("Who may answer", ...(approvers.length === 0 ? [ANYBODY()] : approvers.map(approversShown))),
    section("Plan", planFacts(shown)),
  ];
}

function programShown({ argv, cwd, limits, report, secrets = [] }: PlannedSandbox, grant?: ShownGrant): HTMLElement {
  // Granted connections go around the sandbox's own network, which has none either way: said beside them it would mislead.
  const { network, ...rest } = report;
  const isConnected = grant !== undefined && grant.connect.length > 0;
  return section(
    "Program",
    // A word a line, so that nobody has to guess where one ends.
    foreignBlock(argv.map((word) => JSON.stringify(word)).join("\n")),
    facts([
      ["in", foreign(cwd)],
      ["is given", secrets.length > 0 && foreign(secrets.join(", "))],
      [
        "limits",
        foreign(
          Object.entries(limits)
            .map(([name, value]) => `${name} ${value}`)
            .join(", "),
        ),
      ],
      ["sandbox", foreign(JSON.stringify(rest))],
      ["network", foreign(isConnected ? grant.connect.join(", ") : network)],
    ]),
  );
}

/** More of them are shown as one value: so many elements hold up a browser. */
const FIELDS_MAX = 200;

const inputShown = (input: Readonly<Record<string, unknown>>): readonly Child[] => {
  const rows = Object.entries(input);
  if (rows.length === 0) return [el("p", { class: "quiet" }, "none")];
  if (rows.length > FIELDS_MAX) return [valueBlock(input)];
  return rows.flatMap(([name, value]) => [el("h4", { class: "name" }, foreign(name)), valueBlock(value)]);
};

const ANYBODY = () => el("p", { class: "quiet" }, "anybody who may answer questions; one yes is enough");

/** Empty means none: a rule that names nobody can't be satisfied, and says so. */
function approversShown({ ruleId, roles, users, people, requester }: Approvers): HTMLElement {
  const who = [
    ...(users ?? []).map((name) => `user ${name}`),
    ...(roles ?? []).map((role) => `anybody with the role ${role}`),
  ];
  const isAnybody = users === null && roles === null;
  return el(
    "p",
    {},
    foreign(isAnybody ? "anybody who may answer questions" : who.length === 0 ? "nobody" : who.join(", or ")),
    people > 1 ? `; ${people} people have to say yes` : "; one yes is enough",
    requester === "never" ? "; never who made the call, nor who opened its session" : "",
    el("small", {}, " rule ", foreign(ruleId)),
  );
}

function planFacts({ plan, digest, planDigest, actor, ruleId }: ShownPlan): HTMLElement {
  return facts([
    ["asked by rule", foreign(ruleId)],
    ["from", foreign(actor)],
    ["runs", foreign(`${plan.containment}, for at most ${plan.timeoutMs / 1000} s`)],
    ["workspace", foreign(`${plan.workspace} on ${plan.host}`)],
    ...plan.operands.map((operand) => ["file", operandShown(operand, plan.workspace)] as const),
    ["definition", foreign(plan.definitionDigest)],
    ["plan", foreign(planDigest)],
    ["sealed as", foreign(digest)],
  ]);
}

const operandShown = ({ path, before, after }: Operand, workspace: string): HTMLElement =>
  el(
    "span",
    {},
    foreign(shownPath(workspace, path)),
    el("small", {}, ` before ${before ?? "absent"}, after ${after ?? "absent"}`),
  );
