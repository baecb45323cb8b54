import type { DeskParts } from "../approval/desk.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import type { Programs } from "../ports/programs.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Web } from "../ports/web.ts";

/** The parts of a gate that only tests replace. */
export interface InnerParts {
  readonly blobs: Blobs;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly probe: Probe;
  readonly programs: Programs;
  readonly journal: Journal;
  readonly ruleBook: RuleBook;
  readonly sandbox: Sandbox;
  readonly approval: Pick<DeskParts, "openQuestionsMax">;
  readonly web: Web;
}
