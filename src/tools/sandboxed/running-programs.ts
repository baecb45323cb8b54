import { isWithin } from "../../domain/is-within.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ForeignRecord, ProgramName, ProgramRecords } from "../../ports/program-records.ts";
import type { Quarantine } from "../../ports/quarantine.ts";
import type { Trees } from "../../ports/trees.ts";
import { isInertInRepository } from "./repository-files.ts";
import type { Found, Survey, Surveyed } from "./survey.ts";
import { type HeldBack, type TreeToClose, WatchedProgram, type WatchedTree } from "./watched-program.ts";

export type { HeldBack };

/** A program from before its start until after its end. */
export interface RunningProgram {
  /** What lies in each of its trees, in their order. */
  readonly surveyed: readonly Surveyed[];
  /** Once nothing of it runs: takes away what it made at closed places. Gives back all that was taken since its start. */
  readonly end: () => Promise<readonly HeldBack[]>;
}

export interface RunningProgramsParts {
  readonly workspace: string;
  readonly trees: Trees;
  readonly survey: Survey;
  readonly quarantine: Quarantine;
  readonly records: ProgramRecords;
  readonly clock: Pick<Clock, "after" | "monotonicMs">;
  /** Writes to the ledger what was held back. */
  readonly note: (name: ProgramName, body: JsonObject) => Promise<void>;
  /** For a person, where no outcome of a call names it. */
  readonly alarm: (places: readonly HeldBack[]) => void;
}

/** What was found in a tree of a program, and may have to be taken away. */
interface Candidate {
  readonly found: Found;
  readonly tree: WatchedTree;
}

/** A program that has ended while others ran that may have descriptors of its folders: over a unix socket it may have handed them on. */
interface Left {
  readonly program: WatchedProgram;
  readonly record: Disposable;
  readonly heirs: Set<WatchedProgram>;
}

/** How often is looked while programs run: at most a twentieth of the time goes into it. */
const INTERVAL_MS = 1000;
const SHARE = 20;
/** What is taken away or unlocked may have hidden something else. */
const ROUNDS_MAX = 20;
const NAMED_IN_ENTRY_MAX = 50;
/** Between two of these, others get their turn: a program can make a hundred thousand. */
const TAKEN_AT_ONCE = 50;
/** A program that may write nowhere needs none. */
const NO_RECORD: Disposable = { [Symbol.dispose]: () => {} };
/** Of a file that the gate is writing. */
const OWN_DRAFT = /^\.toolgate-[0-9a-f]{24}$/;

/**
 * INVARIANT (closed at every depth): what is closed to a program and lies there when it starts is covered by mounts. What comes to be at
 * a closed place while it runs is taken away: before its result is handed out, before another program starts, and about every second
 * meanwhile. If the gate ends before that, the next one does it, by the record of the program.
 *
 * It can't be known who has made something. So what is taken away is kept for a person, and what the gate itself has put there, or
 * another program that ran at the same time and may write there, is left.
 *
 * After its end a program can still write by descriptors that it handed to another one. So its folders are looked through until
 * all programs of calls have ended that it can have met.
 */
export class RunningPrograms {
  readonly #parts: RunningProgramsParts;
  readonly #running = new Set<WatchedProgram>();
  readonly #left = new Set<Left>();
  readonly #foreign = new Map<string, WatchedProgram>();
  /** One sweep at a time: two would both report the same place. */
  #turn: Promise<unknown> = Promise.resolve();
  #isArmed = false;

  constructor(parts: RunningProgramsParts) {
    this.#parts = parts;
  }

  /**
   * To be called before a program starts. `sees`: all that is mounted for it. `too much`: a tree of it holds more than can be looked through. `unsettled`: other
   * programs make closed places faster than they can be taken away.
   */
  begin(
    name: ProgramName,
    trees: readonly TreeToClose[],
    sees: readonly string[],
  ): Promise<RunningProgram | "too much" | "unsettled"> {
    return this.#inTurn(async () => {
      const program = new WatchedProgram(name, trees, { workspace: this.#parts.workspace, sees });
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const surveys = new Surveys(this.#parts.survey);
        const surveyed = await surveys.ofAll(program.trees, "before");
        if (surveyed === null) return "too much";
        // What a program that still runs has made must not count as known: this one would obey it, too.
        const others = [...this.#running, ...this.#leftPrograms(), ...this.#foreignPrograms()];
        if ((await this.#sweep(others, surveys)) === 0) return this.#add(program, surveyed);
      }
      return "unsettled";
    });
  }

  /** Takes away what programs have made whose gates ended without doing it. */
  async recover(): Promise<void> {
    const left = () => this.#foreignPrograms().filter(({ foreign }) => foreign?.isOver());
    if (left().length > 0) await this.#inTurn(() => this.#untilClean(left));
  }

  /** Settles when no sweep is under way. */
  async idle(): Promise<void> {
    for (let turn: Promise<unknown> | null = null; turn !== this.#turn; ) {
      turn = this.#turn;
      await turn;
    }
  }

  #add(program: WatchedProgram, surveyed: readonly Surveyed[]): RunningProgram {
    for (const one of surveyed) program.knows([...one.readOnly.map(({ path }) => path), ...one.unreadable]);
    const record = program.trees.length === 0 ? NO_RECORD : this.#parts.records.add(program.record());
    for (const other of [...this.#running, ...this.#leftPrograms()]) other.runsBeside(program);
    for (const other of this.#running) program.runsBeside(other);
    this.#running.add(program);
    this.#arm(INTERVAL_MS);
    let ended: Promise<readonly HeldBack[]> | null = null;
    const end = async (): Promise<readonly HeldBack[]> => {
      // Other gates have to be told, before this one's record goes, what this program was allowed to make.
      const all = () => [program, ...this.#leftPrograms(program), ...this.#foreignPrograms()];
      await this.#inTurn(() => this.#untilClean(all));
      this.#running.delete(program);
      this.#leave(program, record);
      return program.heldBack;
    };
    return { surveyed, end: () => (ended ??= end()) };
  }

  #leave(program: WatchedProgram, record: Disposable): void {
    const heirsOf = (owner: WatchedProgram) =>
      [...this.#running].filter((one) => one.mayMeet(program) && !one.watchesLike(owner));
    this.#left.add({ program, record, heirs: new Set(program.trees.length === 0 ? [] : heirsOf(program)) });
    for (const left of this.#left) {
      // What one of them was handed, it may have handed on as well.
      if (left.heirs.delete(program)) for (const one of heirsOf(left.program)) left.heirs.add(one);
      if (left.heirs.size > 0) continue;
      this.#left.delete(left);
      left.record[Symbol.dispose]();
    }
  }

  /** Those that `heir` can have met, or all. */
  #leftPrograms(heir?: WatchedProgram): readonly WatchedProgram[] {
    const left = [...this.#left].filter(({ heirs }) => heir === undefined || heirs.has(heir));
    return left.map(({ program }) => program);
  }

  async #untilClean(programs: () => readonly WatchedProgram[]): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++)
      if ((await this.#sweep(programs(), new Surveys(this.#parts.survey))) === 0) return;
  }

  /** Gives back how many places were changed by it. */
  async #sweep(programs: readonly WatchedProgram[], surveys: Surveys): Promise<number> {
    let changed = 0;
    for (const program of programs) {
      const surveyed = (await surveys.ofAll(program.trees, "after")) ?? [];
      const unlocked = surveyed.flatMap(({ unreadable }) => unreadable).filter((path) => this.#unlocks(path, program));
      const candidates = surveyed.flatMap((one, index) =>
        this.#newIn(one, program).map((found) => ({ found, tree: program.trees[index] as WatchedTree })),
      );
      const held = await this.#holdBack(candidates, program);
      changed += unlocked.length + held.changed;
      // One more round looks into what was unlocked, or has come to light.
      if (unlocked.length + held.made === 0 && program.foreign?.isOver() === true) program.foreign.remove();
    }
    return changed;
  }

  #unlocks(path: string, program: WatchedProgram): boolean {
    return !program.isKnown(path) && this.#parts.trees.unlock(path);
  }

  #newIn({ readOnly, unreadable }: Surveyed, program: WatchedProgram): readonly Found[] {
    const locked = unreadable
      .filter((path) => this.#parts.trees.list(path).content === "unreadable")
      .map((path): Found => ({ path, kind: "directory" }));
    return [...readOnly, ...locked].filter(({ path }) => !program.isKnown(path) && !program.gaveUpOn(path));
  }

  #mayStay(found: Found, program: WatchedProgram, tree: WatchedTree): boolean {
    const { trees, records } = this.#parts;
    const { path } = found;
    const beside = [
      ...program.treesBeside,
      ...[...this.#running, ...this.#foreign.values()].flatMap((one) => one.trees),
    ];
    if (beside.some((one) => one !== tree && one.allows(found))) {
      if (program.foreign !== null) records.admit(() => [{ path, digest: null }]);
      return true;
    }
    return isInertInRepository(found, trees, (known) => program.isKnown(known));
  }

  /** Of a folder that the gate itself has made, what it has not put there. */
  #notAdmitted(found: Found): readonly Found[] {
    const { trees, records } = this.#parts;
    const { path, kind } = found;
    const isFolder = kind === "directory";
    if (!records.isAdmitted(path, () => (isFolder ? "folder" : trees.digest(path)))) return [found];
    const { content } = trees.list(path);
    if (!isFolder || typeof content === "string") return [];
    const inside = content.filter(({ name }) => !OWN_DRAFT.test(name));
    return inside.flatMap(({ name, kind }) => this.#notAdmitted({ path: `${path}/${name}`, kind }));
  }

  async #holdBack(
    candidates: readonly Candidate[],
    program: WatchedProgram,
  ): Promise<{ made: number; changed: number }> {
    const taken: HeldBack[] = [];
    let [made, gone] = [0, 0];
    for (const [index, { found: candidate, tree }] of candidates.entries()) {
      if (index % TAKEN_AT_ONCE === TAKEN_AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
      // Looked at and taken at once: meanwhile the gate itself could write to the place.
      for (const found of this.#mayStay(candidate, program, tree) ? [] : this.#notAdmitted(candidate)) {
        made += 1;
        const result = this.#parts.quarantine.take(found.path);
        if (result.kind === "gone") gone += 1;
        if (result.kind === "moved") taken.push({ ...found, to: result.to });
        if (result.kind === "deleted") taken.push({ ...found, to: null });
        if (result.kind === "left") {
          taken.push({ ...found, to: null, left: result.because });
          program.giveUpOn(found.path);
        }
      }
    }
    if (taken.length === 0) return { made, changed: gone };
    for (const one of new Set([program, ...this.#running])) one.reports(taken);
    if (program.foreign !== null || program.name.callId === null || !this.#running.has(program))
      this.#parts.alarm(taken);
    const places = taken.slice(0, NAMED_IN_ENTRY_MAX).map((one) => ({ ...one }));
    await this.#parts.note(program.name, { program: program.name.program, count: taken.length, places });
    return { made, changed: gone + taken.filter(({ left }) => left === undefined).length };
  }

  #foreignPrograms(): readonly WatchedProgram[] {
    const records = this.#parts.records.foreign();
    const ids = new Set(records.map(({ id }) => id));
    for (const id of this.#foreign.keys()) if (!ids.has(id)) this.#foreign.delete(id);
    for (const record of records) if (!this.#foreign.has(record.id)) this.#foreign.set(record.id, this.#from(record));
    return [...this.#foreign.values()];
  }

  /** Only in this workspace: the state directory may have come with it, and must not say what to move elsewhere. */
  #from(record: ForeignRecord): WatchedProgram {
    const { workspace } = this.#parts;
    const within = record.trees.filter(({ root }) => isWithin(root, workspace));
    const program = new WatchedProgram(record.name, within, { workspace, foreign: record });
    for (const { known } of record.trees) program.knows(known);
    return program;
  }

  #arm(delayMs: number): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const { clock } = this.#parts;
    clock.after(delayMs, () => {
      const startedMs = clock.monotonicMs();
      const again = () => {
        this.#isArmed = false;
        if (this.#running.size > 0) this.#arm(Math.max(INTERVAL_MS, SHARE * (clock.monotonicMs() - startedMs)));
      };
      const sweep = () => this.#sweep([...this.#running, ...this.#leftPrograms()], new Surveys(this.#parts.survey));
      // What is in the way of this one is in the way of the one at the end, which reports it.
      this.#inTurn(sweep).then(again, again);
    });
  }

  #inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const result = this.#turn.then(act, act);
    this.#turn = result.catch(() => {}); // whoever asked for it has the error
    return result;
  }
}

/** Of one moment: programs that have the same tree are looked through once. */
class Surveys {
  readonly #survey: Survey;
  readonly #found = new Map<string, Promise<Surveyed | null>>();

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  /** Null: there is more than can be looked through before a start. */
  async ofAll(trees: readonly WatchedTree[], when: "before" | "after"): Promise<readonly Surveyed[] | null> {
    const surveyed: Surveyed[] = [];
    for (const { root, closed, id } of trees) {
      const found = this.#found.get(id) ?? this.#survey.of(root, closed, when);
      this.#found.set(id, found);
      const one = await found;
      if (one === null) return null;
      surveyed.push(one);
    }
    return surveyed;
  }
}
