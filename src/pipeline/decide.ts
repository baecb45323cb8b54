import { type JudgedCall, type PlannedCall, type RawCall, refuse, type Step } from "../domain/call.ts";
import { isPromise, type Now } from "../domain/now.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import { judge } from "./judge.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";
import { plan } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { validate } from "./validate.ts";

type DecidePorts = Pick<
  PipelinePorts,
  "automatic" | "catalog" | "clock" | "leases" | "probe" | "ruleBook" | "workspace"
>;

/** How often a call is planned whose tool is given another definition meanwhile. */
const TRIES = 2;

/** Stages one to four: what would happen, and whether it may. Nothing runs, nothing is written. */
export function decide(raw: RawCall, ports: DecidePorts, signal: AbortSignal, tries = TRIES): Now<Step<JudgedCall>> {
  const { probe } = ports;
  probe.reached("received", raw.callId);
  const resolved = resolve(raw, ports);
  if (resolved.kind === "refuse") return resolved;
  probe.reached("resolved", raw.callId);
  const valid = validate(resolved.call, ports);
  if (valid.kind === "refuse") return valid;
  probe.reached("validated", raw.callId);
  const planned = plan(valid.call, ports, signal);
  if (!isPromise(planned)) return judged(planned, ports);
  return planned.then((step) => {
    // INVARIANT (one definition): rules that came with one definition of a tool never judge a plan made by another.
    if (step.kind === "refuse" || isPresent(step.call, ports)) return judged(step, ports);
    return tries > 1 ? decide(raw, ports, signal, tries - 1) : refuse(CHANGED);
  });
}

/** Planning took time, in which the tool's file may have been read anew. */
const isPresent = ({ tool, toolName }: PlannedCall, { catalog }: DecidePorts): boolean => {
  const present = catalog.find(toolName);
  return present === tool || present?.definitionDigest === tool.definitionDigest;
};

function judged(planned: Step<PlannedCall>, ports: DecidePorts): Step<JudgedCall> {
  if (planned.kind === "refuse") return planned;
  ports.probe.reached("planned", planned.call.callId);
  const step = judge(planned.call, ports);
  ports.probe.reached("judged", planned.call.callId);
  if (step.kind === "refuse") return step;
  // Nobody is asked about what can't run.
  const { unavailable, definition } = step.call.tool;
  const blocked = unavailable ?? interactiveRefusal(definition);
  return blocked === undefined ? step : refuse(blocked);
}

/** Nobody types anything here, and no `--yes` is ever added: a tool that waits for a person would wait for ever. */
function interactiveRefusal({ name, effects }: ToolDefinition): Refusal | undefined {
  const { stdin, prompts, tty } = effects?.interactive ?? {};
  if (stdin !== "required" && stdin !== "password" && prompts !== true && tty !== true) return undefined;
  return {
    code: "INTERACTIVE_BLOCKED",
    stage: "execute",
    message: `tool \`${name}\` waits for a person to type ${stdin === "password" ? "a password" : "something"}`,
    hint: "use it in a terminal of your own, or a tool that takes all it needs as arguments",
  };
}

const CHANGED: Refusal = {
  code: "CONFLICT",
  stage: "plan",
  message: "the tool was changed while the call was being planned, and then once more",
  hint: "make the call again",
};
