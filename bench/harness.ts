import type { Scratch } from "./parts/scratch.ts";

/** One thing that is timed. A round of it is long enough to be read off a clock. */
export interface Case {
  readonly name: string;
  /** How many calls, or whatever is counted, a round has. */
  readonly unitsPerRound: number;
  readonly round: () => Promise<void> | void;
}

/** Microseconds per unit of a case. */
export type UsOf = (name: string) => number;

/** What was found out beside the times, by its name. */
export type FactOf = (name: string) => number;

/** What the figures are held against. A ratio is between cases of one run; only `per second` is about the machine. */
export interface Aim {
  readonly says: string;
  readonly value: (usOf: UsOf, factOf: FactOf) => number;
  readonly unit: "ratio" | "per second" | "MB";
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

export interface Suite {
  readonly name: string;
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly aims: readonly Aim[];
  readonly open: (setting: Setting) => Promise<Opened>;
}

export interface Setting {
  readonly scratch: Scratch;
  /** Of the ledger that is called long. */
  readonly longLedgerEntries: number;
  /** Whether others' packages are fetched to be compared with. */
  readonly peers: "fetched" | "left out";
}

export interface Opened {
  readonly cases: readonly Case[];
  /** What a reader has to know to make sense of the figures. */
  readonly note?: string;
  readonly facts?: Readonly<Record<string, number>>;
  /** Of cases that are not to be had everywhere. */
  readonly aims?: readonly Aim[];
  readonly close?: () => Promise<void> | void;
}

export interface Figure {
  readonly name: string;
  readonly medianUs: number;
  readonly fastestUs: number;
}

export interface Judged {
  readonly says: string;
  /** Of a round in the middle of all rounds. */
  readonly value: number;
  /** Half of the rounds lie between the two. */
  readonly quartiles: readonly [number, number];
  readonly unit: Aim["unit"];
  readonly bound: Aim["bound"];
  readonly isMet: boolean;
}

export interface SuiteResult {
  readonly suite: string;
  readonly note: string | null;
  readonly figures: readonly Figure[];
  readonly aims: readonly Judged[];
}

/** Runs the cases of a suite in turns, so that what else the machine does falls on all of them alike. */
export async function measure(suite: Suite, setting: Setting): Promise<SuiteResult> {
  const { cases, note = null, facts = {}, aims = [], close } = await suite.open(setting);
  try {
    const rounds: Round[] = [];
    for (let round = -suite.warmUpRounds; round < suite.rounds; round++) {
      const us = new Map<string, number>();
      // Each begins a round in its turn: what one leaves behind, such as garbage, is paid for by whoever comes next.
      for (let n = 0; n < cases.length; n++) {
        const each = cases[(round + suite.warmUpRounds + n) % cases.length];
        if (each !== undefined) us.set(each.name, await timedUs(each));
      }
      if (round >= 0) rounds.push(us);
    }
    const figures = cases.map(({ name }) => figureOf(name, rounds));
    const all = [...suite.aims, ...aims];
    return { suite: suite.name, note, figures, aims: all.map((aim) => judged(aim, rounds, facts)) };
  } finally {
    await close?.();
  }
}

/** Microseconds per unit of each case, measured one right after the other. */
type Round = ReadonlyMap<string, number>;

async function timedUs({ round, unitsPerRound }: Case): Promise<number> {
  const startMs = performance.now();
  await round();
  return ((performance.now() - startMs) * 1000) / unitsPerRound;
}

function figureOf(name: string, rounds: readonly Round[]): Figure {
  const times = rounds.map((us) => us.get(name) ?? Number.NaN);
  return { name, medianUs: at(times, 1 / 2), fastestUs: at(times, 0) };
}

/**
 * Compares within each round and takes the middle of that, not the middles of each case: on a machine that is fast in one
 * minute and slow in the next, those may come from different minutes.
 */
function judged(
  { says, unit, bound, ...aim }: Aim,
  rounds: readonly Round[],
  facts: Readonly<Record<string, number>>,
): Judged {
  const values = rounds.map((us) =>
    aim.value(
      (name) => us.get(name) ?? Number.NaN,
      (name) => facts[name] ?? Number.NaN,
    ),
  );
  const value = at(values, 1 / 2);
  const isMet = "atMost" in bound ? value <= bound.atMost : value >= bound.atLeast;
  return { says, value, quartiles: [at(values, 1 / 4), at(values, 3 / 4)], unit, bound, isMet };
}

/** What stands at this part of the way from the least to the most. */
const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
