import type { Price } from "../domain/price.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Faults } from "../ports/faults.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { CallRowPorts } from "./call-row.ts";
import type { KeptTexts } from "./kept-texts.ts";

/** What the life of a call asks of the world. */
export interface LifePorts extends CallRowPorts {
  readonly redactor: Redactor;
  readonly blobs: Blobs;
  readonly faults: Faults;
  readonly workspace: string;
  /** What models cost, now. Left out: nobody says. */
  readonly prices?: () => readonly Price[];
  /** Where the operator wants the texts of calls kept. */
  readonly texts?: KeptTexts;
}
