import type { StageName } from "../domain/codes.ts";
import type { Border, Probe } from "../ports/probe.ts";

/** The stage that begins at each border of a call. */
const STAGE_AFTER: Readonly<Record<Border, StageName>> = {
  received: "resolve",
  resolved: "validate",
  validated: "plan",
  planned: "judge",
  judged: "approve",
  asked: "approve",
  answered: "approve",
  approved: "journal",
  writing: "journal",
  started: "execute",
  ran: "finish",
  finished: "journal",
  recorded: "journal",
};

/** Knows which stage a call is in, for the fault log. */
export class StageTracker implements Probe {
  readonly #probe: Probe;
  stage: StageName = "resolve";

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  reached(border: Border, callId: string): void {
    this.stage = STAGE_AFTER[border];
    this.#probe.reached(border, callId);
  }
}
