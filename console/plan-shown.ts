import type { Approvers } from "../src/domain/approvers.ts";
import { grantInWords, type ShownGrant } from "../src/domain/grant-in-words.ts";
import type { Operand, PlannedSandbox } from "../src/domain/plan.ts";
import type { ShownPlan } from "../src/domain/question.ts";
import { shownPath } from "../src/domain/shown-path.ts";
import { visibleLine } from "../src/domain/visible.ts";
import { type Child, el } from "./dom.ts";
import { endMark, type Reading } from "./reading.ts";
import { diffBlock, facts, foreign, foreignBlock, foreignName, section, sentence, valueBlock } from "./shown.ts";
import { touchList } from "./touch-list.ts";

/** What a browser draws without being held up. A question beyond that is drawn in part, and whole in a download. */
const PLAN_CHARS_MAX = 1024 * 1024;
const ROWS_MAX = 300;
/** Of each value and of each list, in a question that is too long. */
const PART_CHARS_MAX = 16 * 1024;
const PART_ROWS_MAX = 100;

/** All that a question is about: what the call does first, then how, then with what. */
export function planShown(shown: ShownPlan, reading: (end: HTMLElement) => Reading): readonly HTMLElement[] {
  const { plan, touches, reasons, preview, grant, approvers = [] } = shown;
  const chars = JSON.stringify(shown).length;
  const isWhole = chars <= PLAN_CHARS_MAX && touches.length <= ROWS_MAX && plan.operands.length <= ROWS_MAX;
  const room: Room = isWhole ? { chars: PLAN_CHARS_MAX * MARKED_MAX, rows: ROWS_MAX } : PART;
  const end = endMark();
  const read = reading(end);
  return [
    ...(isWhole ? [] : [wholeDownload(shown, chars, read)]),
    section(
      "What it does",
      touchList(touches, { workspace: plan.workspace, operands: plan.operands, max: room.rows }),
      grant === undefined ? null : el("p", { class: "grant" }, ...sentence(grantInWords(grant))),
      ...reasons.slice(0, room.rows).map((reason) => el("p", { class: "reason" }, ...sentence(reason))),
      plan.confirm === undefined ? null : el("p", { class: "reason" }, ...sentence(plan.confirm)),
    ),
    ...(plan.sandbox === undefined ? [] : [programShown(plan.sandbox, room, grant)]),
    ...(preview === undefined ? [] : [section("Change", diffBlock(preview, room.chars))]),
    section("Input", ...inputShown(plan.input, room)),
    end,
    section("Who may answer", ...(approvers.length === 0 ? [ANYBODY()] : approvers.map(approversShown))),
    section("Plan", planFacts(shown, room)),
  ];
}

interface Room {
  readonly chars: number;
  readonly rows: number;
}

/** An escaped character is drawn as up to ten. */
const MARKED_MAX = 10;
const PART: Room = { chars: PART_CHARS_MAX, rows: PART_ROWS_MAX };

const wholeDownload = (shown: ShownPlan, chars: number, reading: Reading): HTMLElement =>
  el(
    "div",
    { class: "too-long", role: "status" },
    el("p", {}, "This question is too long to be shown whole. Read the download before you approve it."),
    reading.mustSave(`Download the whole question (${chars} characters)`, `question-${shown.digest}.json`, () =>
      JSON.stringify(shown, null, 2),
    ),
  );

function programShown(
  { argv, cwd, limits, report, secrets = [] }: PlannedSandbox,
  { chars }: Room,
  grant?: ShownGrant,
): HTMLElement {
  // Granted connections go around the sandbox's own network, which has none either way: said beside them it would mislead.
  const { network, ...rest } = report;
  const isConnected = grant !== undefined && grant.connect.length > 0;
  return section(
    "Program",
    // A word a line, so that nobody has to guess where one ends.
    foreignBlock(argv.map((word) => visibleLine(JSON.stringify(word))).join("\n"), chars),
    facts([
      ["in", foreignName(cwd)],
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

/** More fields are shown as one value: so many elements hold up a browser. */
const FIELDS_MAX = 200;

const inputShown = (input: Readonly<Record<string, unknown>>, { chars, rows }: Room): readonly Child[] => {
  const fields = Object.entries(input);
  if (fields.length === 0) return [el("p", { class: "quiet" }, "none")];
  if (fields.length > Math.min(FIELDS_MAX, rows)) return [valueBlock(input, chars)];
  return fields.flatMap(([name, value]) => [el("h4", { class: "name" }, foreign(name)), valueBlock(value, chars)]);
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

function planFacts({ plan, digest, planDigest, actor, ruleId }: ShownPlan, { rows }: Room): HTMLElement {
  return facts([
    ["asked by rule", foreign(ruleId)],
    ["from", foreign(actor)],
    ["runs", foreign(`${plan.containment}, for at most ${plan.timeoutMs / 1000} s`)],
    ["workspace", foreign(`${plan.workspace} on ${plan.host}`)],
    ...plan.operands.slice(0, rows).map((operand) => ["file", operandShown(operand, plan.workspace)] as const),
    ["definition", foreign(plan.definitionDigest)],
    ["plan", foreign(planDigest)],
    ["sealed as", foreign(digest)],
  ]);
}

const operandShown = ({ path, before, after }: Operand, workspace: string): HTMLElement =>
  el(
    "span",
    {},
    foreignName(shownPath(workspace, path)),
    el("small", {}, ` before ${before ?? "absent"}, after ${after ?? "absent"}`),
  );
