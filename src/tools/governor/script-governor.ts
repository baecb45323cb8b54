import { Buffer } from "node:buffer";
import type { CallFacts } from "../../domain/call-facts.ts";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { GovernorSays } from "../../domain/feedback.ts";
import type { GovernorSpec, GovernorWay } from "../../domain/governor-spec.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { quoted } from "../../domain/visible.ts";
import type { Governor } from "../../ports/governor.ts";
import type { SandboxEnd, SandboxedProgram } from "../../ports/sandbox.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { type StartPorts, startProgram } from "../operator/start-program.ts";
import { failureFrom } from "../sandboxed/program-end.ts";
import { COMMAND_LIMITS } from "../sandboxed/run-program.ts";
import { errorSays, saysFrom } from "./answer.ts";
import type { GovernorCode } from "./governor-code.ts";
import { type GovernorParts, makeGovernor } from "./make-governor.ts";

export interface ScriptGovernorParts extends GovernorParts, StartPorts {
  readonly facts: (id: string) => CallFacts;
  readonly code: Pick<GovernorCode, "whyHeldBack">;
}

export type ScriptSpec = GovernorSpec & { readonly way: Extract<GovernorWay, { kind: "script" }> };

/** A program that reads the question from its stdin and prints its answer. One process for each call, in the sandbox. */
export const scriptGovernor = (spec: ScriptSpec, parts: ScriptGovernorParts): Governor =>
  makeGovernor(spec, parts, async (question, signal) => {
    const missing = parts.sandbox.missing();
    if (missing !== null) return errorSays(missing.message, missing.hint ?? "`toolgate doctor` tells more");
    const heldBack = await parts.code.whyHeldBack(spec);
    if (heldBack !== null) return errorSays(heldBack.message, heldBack.hint ?? "look at its files");
    const started = await startProgram<never>(programOf(spec, parts, question), parts, async () => null, signal);
    if ("code" in started) return errorSays(started.message, started.hint ?? "mend it, or take it out");
    return saysOf(await outputOf(started.program));
  });

function programOf({ id, way }: ScriptSpec, { files, facts }: ScriptGovernorParts, question: JsonObject) {
  const [command, ...args] = way.command;
  const { workspace: cwd } = files;
  const stdin = canonicalJson(question);
  return { command, args, cwd, env: {}, grant: way.grant, facts: facts(id), stdin, termGraceMs: 0 };
}

interface Output {
  readonly bytes: Uint8Array;
  readonly isFlood: boolean;
  readonly end: SandboxEnd;
}

/** To the end of the program: nothing of it goes on when its answer is taken. */
async function outputOf(program: SandboxedProgram): Promise<Output> {
  const parts: Uint8Array[] = [];
  let bytesRead = 0;
  for await (const { from, bytes } of program.chunks) {
    if (from !== "stdout") continue;
    bytesRead += bytes.length;
    if (bytesRead <= LIMITS.governorAnswerBytes.maximum) parts.push(Buffer.from(bytes));
    else program.stop();
  }
  const isFlood = bytesRead > LIMITS.governorAnswerBytes.maximum;
  return { bytes: Buffer.concat(parts), isFlood, end: await program.ended };
}

function saysOf({ bytes, isFlood, end }: Output): GovernorSays {
  if (end.kind === "refused") return errorSays(end.fault.message, end.fault.hint ?? "`toolgate doctor` tells more");
  if (isFlood)
    return errorSays(
      `it printed more than ${LIMITS.governorAnswerBytes.maximum} bytes`,
      "print the answer and nothing else",
    );
  if (end.kind !== "exited") return errorSays("the program was ended from outside", "look for what ended it");
  const failure = failureFrom(end, COMMAND_LIMITS);
  if (failure !== null) {
    const [line = ""] = end.errorText.trim().split("\n", 1);
    return errorSays(
      line === "" ? failure.message : `${failure.message}: ${quoted(line, { max: 500 })}`,
      "whatever it decides, it exits with 0",
    );
  }
  if (bytes.length === 0) return errorSays("it printed nothing", "print the answer to stdout");
  return saysFrom(readJsonBytes(bytes));
}
