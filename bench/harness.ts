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
  /** Of cases that are not to be had everywhere. */
  readonly aims?: readonly Aim[];
  readonly facts?: Readonly<Record<string, number>>;
  readonly close?: () => Promise<void> | void;
}

export interface Figure {
  readonly name: string;
  readonly medianUs: number;
  readonly fastestUs: number;
}

export interface Judged {
  readonly says: string;
  readonly value: number;
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
  const { cases, note = null, aims = [], facts = {}, close } = await suite.open(setting);
  try {
    const timesUs = new Map(cases.map(({ name }) => [name, [] as number[]]));
    for (let round = -suite.warmUpRounds; round < suite.rounds; round++) {
      for (const each of cases) {
        const us = await timedUs(each);
        if (round >= 0) timesUs.get(each.name)?.push(us);
      }
    }
    const figures = [...timesUs].map(([name, times]) => figureOf(name, times));
    const all = [...suite.aims, ...aims].map((aim) => judged(aim, figures, facts));
    return { suite: suite.name, note, figures, aims: all };
  } finally {
    await close?.();
  }
}

async function timedUs({ round, unitsPerRound }: Case): Promise<number> {
  const startMs = performance.now();
  await round();
  return ((performance.now() - startMs) * 1000) / unitsPerRound;
}

function figureOf(name: string, times: readonly number[]): Figure {
  const sorted = times.toSorted((a, b) => a - b);
  return { name, medianUs: sorted[sorted.length >> 1] ?? Number.NaN, fastestUs: sorted[0] ?? Number.NaN };
}

function judged(
  { says, unit, bound, ...aim }: Aim,
  figures: readonly Figure[],
  facts: Readonly<Record<string, number>>,
): Judged {
  const value = aim.value(
    (name) => figures.find((figure) => figure.name === name)?.medianUs ?? Number.NaN,
    (name) => facts[name] ?? Number.NaN,
  );
  const isMet = "atMost" in bound ? value <= bound.atMost : value >= bound.atLeast;
  return { says, value, unit, bound, isMet };
}
