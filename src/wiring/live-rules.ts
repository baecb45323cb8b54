import { Buffer } from "node:buffer";
import type { Config } from "../config/config.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { stampOf } from "../config/files-stamp.ts";
import type { EntryDraft } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import { FAULT } from "../pipeline/own-refusals.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { Committed, Journal } from "../ports/journal.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { newHasher } from "../store/blobs/blake3.ts";

/** What came of reading the settings anew. */
export type Reread =
  | { readonly kind: "ready"; readonly config: Config }
  | { readonly kind: "invalid"; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: "untrusted"; readonly path: string }
  | { readonly kind: "missing" };

export interface LiveRulesParts {
  readonly config: Config;
  /** Reads the settings that the config came from; null = it came from no file, and never changes. */
  readonly reread: (() => Reread) | null;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Whose doing the loads are, in the ledger. */
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
  /** What comes with the settings beside the rules: tools, governors. */
  readonly followers?: readonly Follower[];
  /** Told when the rules on the disk can't be used and the last good ones stay in force. */
  readonly alarm: (message: string) => void;
}

/** Makes what the settings name ready to take over from what is there, or says why it can't. */
export interface Follower {
  readonly prepare: (config: Config) => (() => void) | string;
}

/** How often the files are looked at. */
const LOOK_EVERY_MS = 1000;

/**
 * The rules in force. They follow their files: a set that loads takes the place of the last one as a whole; one that does
 * not changes nothing and raises an alarm. Each set that comes into force is told to the ledger before it judges.
 */
export class LiveRules implements RuleBook {
  readonly #parts: LiveRulesParts;
  #config: Config;
  #stamp: string;
  #isTold = false;
  #telling: Promise<Refusal | null> | null = null;
  #alarm = "";
  /** What is on the disk waits to be accepted, which changes none of its files. */
  #isWaiting = false;
  #stop: (() => void) | null = null;
  #reloading: Promise<void> = Promise.resolve();

  constructor(parts: LiveRulesParts) {
    this.#parts = parts;
    this.#config = parts.config;
    this.#stamp = stampOf(parts.config.files);
  }

  current(): RuleSet {
    return this.#config.rules;
  }

  /** The settings that the rules in force came with. */
  get config(): Config {
    return this.#config;
  }

  /** What lies on the disk now, which changes nothing; null = it came from no file. */
  read(): Reread | null {
    return this.#parts.reread?.() ?? null;
  }

  /** Whether the ledger knows the rules in force. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** Tells the ledger of the first set, unless it is the one that it was told of last. */
  async tell(): Promise<Refusal | null> {
    const last = await this.#parts.journal.lastNote("policy.loaded");
    if (last.kind === "failed") return last.refusal;
    const told = last.entry?.body;
    if (told === undefined || !wasTold(told, this.#config)) {
      const committed = await this.#note("policy.loaded", await loaded(this.#config));
      if (committed.kind === "failed") return committed.refusal;
    }
    this.#isTold = true;
    return null;
  }

  /** The same, once however many ask, and then the files are looked at. */
  async told(): Promise<Refusal | null> {
    if (this.#isTold) return null;
    this.#telling ??= this.tell().finally(() => {
      this.#telling = null;
    });
    const refusal = await this.#telling.catch(() => FAULT);
    if (refusal === null) this.watch();
    return refusal;
  }

  /** Looks at the files from now on, by a timer that lets the process end. */
  watch(): void {
    if (this.#parts.reread === null || this.#stop !== null) return;
    const again = () => {
      this.#stop = this.#parts.clock.after(LOOK_EVERY_MS, () => {
        void this.#look().finally(() => {
          if (this.#stop !== null) again();
        });
      });
    };
    again();
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /**
   * Reads the files now, changed or not. One after the other: what was read first must not come into force last, in the
   * place of a "never" that was saved meanwhile.
   */
  reload(): Promise<void> {
    const reloaded = this.#reloading.then(() => this.#reload());
    this.#reloading = reloaded.catch(() => {});
    return reloaded;
  }

  async #reload(): Promise<void> {
    const { reread } = this.#parts;
    if (reread === null) return;
    const before = stampOf(this.#config.files); // before reading: what changes meanwhile is read at the next look
    this.#stamp = before;
    const read = reread();
    this.#isWaiting = read.kind === "untrusted";
    if (read.kind !== "ready") return await this.#complain(reasonOf(read));
    const prepared = (this.#parts.followers ?? []).map((follower) => follower.prepare(read.config));
    const refused = prepared.find((one) => typeof one === "string");
    if (refused !== undefined) return await this.#complain(refused);
    this.#alarm = "";
    if (!isSame(read.config, this.#config)) {
      const committed = await this.#note("policy.loaded", await loaded(read.config));
      // INVARIANT (told first): what can't be told to the ledger does not come into force.
      if (committed.kind === "failed") return await this.#complain(committed.refusal.message);
    }
    // In one go: rules about commands speak about the tools that come with them.
    const isOfSameFiles = read.config.files.join("\0") === this.#config.files.join("\0");
    this.#config = read.config;
    for (const takeOver of prepared) if (typeof takeOver === "function") takeOver();
    // Of other files nobody knows what they were before they were read: the next look reads them once more.
    this.#stamp = isOfSameFiles ? before : "";
  }

  async #look(): Promise<void> {
    try {
      if (this.#isWaiting || stampOf(this.#config.files) !== this.#stamp) await this.reload();
    } catch (cause) {
      this.#parts.faults.report(cause, { stage: "rules" });
      // Whatever keeps the files from being read keeps the last good rules in force; the next look tries again.
    }
  }

  /** Once for each trouble, and not every second. */
  async #complain(reason: string): Promise<void> {
    if (reason === this.#alarm) return;
    this.#alarm = reason;
    this.#parts.alarm(`the changed settings are not in force, the last good ones are: ${reason}`);
    await this.#note("policy.refused", { message: reason.toWellFormed(), rulesHash: this.current().hash });
  }

  #note(kind: "policy.loaded" | "policy.refused", body: JsonObject): Promise<Committed> {
    const { clock, journal, signature } = this.#parts;
    return journal.note({ at: isoTime(clock.nowMs()), kind, ...signature, callId: null, planDigest: null, body });
  }
}

const isSame = (a: Config, b: Config): boolean =>
  a.rules.hash === b.rules.hash && a.toolsHash === b.toolsHash && a.automaticHash === b.automaticHash;

const wasTold = (told: JsonObject, { rules, toolsHash, automaticHash }: Config): boolean =>
  told["rulesHash"] === rules.hash &&
  (told["toolsHash"] ?? null) === toolsHash &&
  (told["automaticHash"] ?? null) === automaticHash;

async function loaded({ rules, toolsHash, automaticHash, textHash, policies }: Config): Promise<JsonObject> {
  const told = await Promise.all(
    policies.map(async ({ name, text }) => ({ name, policyHash: await policyHash(text) })),
  );
  return {
    ...(automaticHash !== null && { automaticHash }),
    configHash: textHash,
    ...(told.length > 0 && { policies: told }),
    rules: rules.size,
    rulesHash: rules.hash,
    ...(toolsHash !== null && { toolsHash }),
  };
}

/** As APM2 names a policy: BLAKE3 of its text. */
async function policyHash(text: string): Promise<string> {
  const hasher = await newHasher();
  hasher.update(Buffer.from(text));
  return hasher.end();
}

function reasonOf(read: Exclude<Reread, { kind: "ready" }>): string {
  switch (read.kind) {
    case "invalid":
      return problemsInWords(read.problems);
    case "untrusted":
      return `\`${read.path}\` was changed and not accepted yet (\`toolgate trust\`)`;
    case "missing":
      return "the configuration is gone";
    default:
      return read satisfies never;
  }
}

const SHOWN_PROBLEMS = 3;

function problemsInWords(problems: readonly ConfigProblem[]): string {
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(({ file, line, message }) => `${file}:${line}: ${message}`);
  const more = problems.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more (\`toolgate rules check\`)` : ""}`;
}
