import type { Price } from "../domain/price.ts";
import type { Progress } from "../domain/tool.ts";
import type { Automatic } from "../ports/automatic.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Desk } from "../ports/desk.ts";
import type { Faults } from "../ports/faults.ts";
import type { Journal } from "../ports/journal.ts";
import type { Leases } from "../ports/leases.ts";
import type { Probe } from "../ports/probe.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { KeptTexts } from "./kept-texts.ts";

/** What the stages ask of the world, all together. Each stage takes only what it uses. */
export interface PipelinePorts {
  /** Policies and governors. Left out: there are none. */
  readonly automatic?: Automatic;
  readonly blobs: Blobs;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly leases: Leases;
  readonly probe: Probe;
  /** `journal` and `desk` have it inside already: `redacted-journal.ts`, `approval/shown-plan.ts`. */
  readonly redactor: Redactor;
  readonly ruleBook: RuleBook;
  readonly workspace: string;
  /** What models cost, now. Left out: nobody says. */
  readonly prices?: () => readonly Price[];
  /** Where the operator wants the texts of calls kept. */
  readonly texts?: KeptTexts;
  readonly progress: (callId: string, progress: Progress) => void;
}
