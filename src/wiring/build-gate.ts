import { hostname, userInfo } from "node:os";
import type { Config } from "../config/config.ts";
import type { Tool } from "../domain/call.ts";
import { openFiles } from "../files/open-files.ts";
import { redactedDesk } from "../pipeline/redacted-desk.ts";
import { redactedJournal } from "../pipeline/redacted-journal.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Desk } from "../ports/desk.ts";
import type { Ids } from "../ports/ids.ts";
import type { Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import { BlobFiles } from "../store/blobs/blob-files.ts";
import { SqliteJournal } from "../store/sqlite/journal.ts";
import { fileTools } from "../tools/builtin/file-tools.ts";
import { BlobReader } from "./blob-reader.ts";
import { catalogOf } from "./catalog-of.ts";
import { Gate } from "./gate.ts";
import { Ledger } from "./ledger.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

export type { Desk };

export interface GateOptions {
  readonly config: Config;
  /** Tools beside the built-in ones: see `defineTool`. */
  readonly tools?: readonly Tool[];
  /** Who answers questions. Nobody, unless a door says so. */
  readonly desk?: Desk;
}

/** What only tests replace. */
export interface InnerParts {
  readonly blobs: Blobs;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly probe: Probe;
  readonly journal: Journal;
  readonly ruleBook: RuleBook;
}

const NOBODY: Desk = { ask: async () => ({ kind: "nobody" }) };
const SILENT: Probe = { reached: () => {} };

/** Builds a gate from a config. Opens no file but what the config names, and the ledger only with the first call. */
export function buildGate({ config, tools = [], desk = NOBODY }: GateOptions, inner: Partial<InnerParts> = {}): Gate {
  const { workspace, stateDir, durability, rules, redactor } = config;
  const clock = inner.clock ?? systemClock;
  const ids = inner.ids ?? systemIds(clock.nowMs);
  const owner = ids.next("owner");
  const sqlite = new SqliteJournal({ stateDir, durability, owner, clock });
  const blobs = inner.blobs ?? new BlobFiles(stateDir);
  const files = openFiles({ workspace });
  const builtin: readonly Tool[] = config.builtin.includes("files") ? fileTools(files) : [];
  return new Gate({
    ports: {
      catalog: inner.catalog ?? catalogOf([...builtin, ...tools]),
      clock,
      blobs,
      desk: redactedDesk(desk, redactor),
      journal: redactedJournal(inner.journal ?? sqlite, redactor, blobs),
      probe: inner.probe ?? SILENT,
      redactor,
      ruleBook: inner.ruleBook ?? { current: () => rules },
      workspace: files.workspace,
      progress: () => {},
    },
    ids,
    project: config.project,
    owner,
    host: hostname(),
    actor: `local:${userName()}`,
    ledger: new Ledger(stateDir, sqlite),
    blobs: new BlobReader(blobs, config.project, redactor),
  });
}

/** A container may run as a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
