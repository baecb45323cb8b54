import { deepEqual } from "node:assert/strict";
import { lineOf } from "../../src/store/sqlite/segment.ts";
import { type StoredSegment, segmentsOf, writeSegments } from "./entries-table.ts";
import { forgedAt, namedBy, type WrittenLedger } from "./written-ledger.ts";

// Without vitest: threads use it.

/** A segment taken apart. */
interface Lines {
  readonly firstSeq: number;
  readonly lines: readonly string[];
}

/** What somebody does to one line of a segment and leaves everything else where it is. */
export interface LineMove {
  readonly name: string;
  readonly at: (segments: readonly Lines[], where: Where, ledger: WrittenLedger) => readonly Lines[];
  /** The entry that has to be named; null where the move can't be made there. Without it: the entry itself. */
  readonly names?: (where: Where) => number | null;
}

interface Where {
  readonly seq: number;
  /** Of its segment, and of its line in it. */
  readonly segment: number;
  readonly line: number;
  readonly isLastLine: boolean;
  readonly isLastSegment: boolean;
}

const edit = (segments: readonly Lines[], at: number, change: (lines: readonly string[]) => readonly string[]) =>
  segments.with(at, { firstSeq: segments[at]?.firstSeq ?? 0, lines: change(segments[at]?.lines ?? []) });

const lineAt = (segments: readonly Lines[], segment: number, line: number): string =>
  segments[segment]?.lines[line] ?? "";

export const LINE_MOVES: readonly LineMove[] = [
  { name: "deleted", at: (all, { segment, line }) => edit(all, segment, (lines) => lines.toSpliced(line, 1)) },
  { name: "emptied", at: (all, { segment, line }) => edit(all, segment, (lines) => lines.with(line, "")) },
  {
    name: "joined with the next",
    at: (all, { segment, line }) =>
      edit(all, segment, (lines) => lines.toSpliced(line, 2, lines.slice(line, line + 2).join(" "))),
    names: ({ seq, isLastLine }) => (isLastLine ? null : seq),
  },
  {
    name: "doubled",
    at: (all, { segment, line }) => edit(all, segment, (lines) => lines.toSpliced(line, 0, lineAt(all, segment, line))),
  },
  {
    name: "preceded by a forged one that fits",
    at: (all, { segment, line, seq }, ledger) => {
      const { hash, text } = forgedAt(seq, ledger);
      return edit(all, segment, (lines) => lines.toSpliced(line, 0, lineOf(hash, text)));
    },
  },
  {
    name: "preceded by an empty one",
    at: (all, { segment, line }) => edit(all, segment, (lines) => lines.toSpliced(line, 0, "")),
  },
  {
    name: "swapped with the next",
    at: (all, { segment, line }) =>
      edit(all, segment, (lines) =>
        lines.with(line, lineAt(all, segment, line + 1)).with(line + 1, lineAt(all, segment, line)),
      ),
    names: ({ seq, isLastLine }) => (isLastLine ? null : seq),
  },
  {
    name: "swapped with the first of the next segment",
    at: (all, { segment, line }) => {
      const other = lineAt(all, segment + 1, 0);
      const mine = lineAt(all, segment, line);
      return edit(
        edit(all, segment, (lines) => lines.with(line, other)),
        segment + 1,
        (lines) => lines.with(0, mine),
      );
    },
    names: ({ seq, isLastSegment }) => (isLastSegment ? null : seq),
  },
  {
    name: "moved to the beginning of the next segment",
    at: (all, { segment, line }) =>
      edit(
        edit(all, segment, (lines) => lines.toSpliced(line, 1)),
        segment + 1,
        (lines) => [lineAt(all, segment, line), ...lines],
      ),
    names: ({ seq, isLastSegment }) => (isLastSegment ? null : seq),
  },
  {
    name: "given the hash of the one before",
    at: (all, { segment, line, seq }, ledger) =>
      edit(all, segment, (lines) => lines.with(line, lineOf(ledger.row(seq - 1).hash, ledger.row(seq).text))),
    names: ({ seq }) => (seq === 1 ? null : seq),
  },
  {
    name: "there again in a segment of its own, inside its own",
    at: (all, { segment, line, seq }) => {
      const twice = { firstSeq: seq, lines: [lineAt(all, segment, line)] };
      return all.toSpliced(segment + 1, 0, twice);
    },
    names: ({ seq, line }) => (line === 0 ? null : seq),
  },
  {
    name: "followed by the rest as a segment that overlaps",
    at: (all, { segment, line, seq }) =>
      all.toSpliced(segment + 1, 0, { firstSeq: seq, lines: all[segment]?.lines.slice(line) ?? [] }),
    names: ({ seq, line }) => (line === 0 ? null : seq),
  },
];

/** Cutting a segment in two is no harm: it is the same ledger. */
const splitAt = (segments: readonly Lines[], segment: number, line: number): readonly Lines[] => {
  const { firstSeq, lines } = segments[segment] as Lines;
  const parts = [
    { firstSeq, lines: lines.slice(0, line) },
    { firstSeq: firstSeq + line, lines: lines.slice(line) },
  ];
  return segments.toSpliced(segment, 1, ...parts.filter((part) => part.lines.length > 0));
};

/** The ledger in segments of so many lines, with a move at every line of it. */
export async function expectLineNamed(
  move: LineMove,
  ledger: WrittenLedger,
  linesPerSegment: number,
  every = 1,
): Promise<number> {
  const segments = segmentsOf(ledger.rows, linesPerSegment).map(apart);
  let done = 0;
  for (const where of placesOf(segments).filter(({ seq }) => seq % every === 0)) {
    const expected = move.names ? move.names(where) : where.seq;
    if (expected === null) continue;
    const harmed = move.at(segments, where, ledger).map(together);
    const named = namedBy(await ledger.foundAfter((db) => writeSegments(db, harmed)));
    deepEqual({ ...where, named }, { ...where, named: expected });
    done += 1;
  }
  return done;
}

export async function expectSplitSound(ledger: WrittenLedger, linesPerSegment: number, every = 1): Promise<void> {
  const segments = segmentsOf(ledger.rows, linesPerSegment).map(apart);
  for (const { seq, segment, line } of placesOf(segments).filter(({ seq }) => seq % every === 0)) {
    const split = splitAt(segments, segment, line).map(together);
    deepEqual({ seq, found: await ledger.foundAfter((db) => writeSegments(db, split)) }, { seq, found: null });
  }
}

const apart = ({ firstSeq, lines }: StoredSegment): Lines => ({ firstSeq, lines: lines.split("\n") });
const together = ({ firstSeq, lines }: Lines): StoredSegment => ({ firstSeq, lines: lines.join("\n") });

const placesOf = (segments: readonly Lines[]): readonly Where[] =>
  segments.flatMap(({ firstSeq, lines }, segment) =>
    lines.map((_, line) => ({
      seq: firstSeq + line,
      segment,
      line,
      isLastLine: line === lines.length - 1,
      isLastSegment: segment === segments.length - 1,
    })),
  );
