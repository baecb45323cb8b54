import type { KeyObject } from "node:crypto";
import type { Digest } from "../domain/digest.ts";
import { GENESIS_HASH, type Link } from "./chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type CheckpointLines, readCheckpoints } from "./checkpoint-set.ts";
import type { Finding } from "./finding.ts";
import { type Mark, type RangeResult, settle } from "./range-verifier.ts";
import { type Subtree, TreeBuilder } from "./tree.ts";

export interface Evidence {
  /** In order, the first from entry 1, each from where the one before was to end; told of all `checkpointSizes`. */
  readonly ranges: readonly RangeResult[];
  readonly checkpoints: CheckpointLines;
  /** Null: lost. */
  readonly publicKey: KeyObject | null;
}

export interface Report {
  readonly ok: boolean;
  /** How many entries, from the first on, form a chain. */
  readonly entries: number;
  /** The hash of the last of them. */
  readonly head: Digest;
  readonly firstFinding: Finding | null;
  /** By the entry they are about; those about checkpoints come last. */
  readonly findings: readonly Finding[];
  /** The size of the last checkpoint that was met on the way; 0 for none. */
  readonly anchoredTo: number;
  /** Entries that no checkpoint vouches for: whoever can write the store could have rewritten them unseen. */
  readonly unanchored: { readonly from: number; readonly to: number } | null;
  /** Checkpoints with a good signature. */
  readonly checkpoints: number;
}

/** The verdict over a whole ledger. */
export function judgeLedger({ ranges, checkpoints: lines, publicKey }: Evidence): Report {
  const chain = joined(ranges);
  const checkpoints = readCheckpoints(lines, publicKey);
  const anchors = anchored(chain, checkpoints.trusted);
  const findings = [...chain.findings, ...anchors.findings, ...checkpoints.findings].sort(
    (a, b) => place(a) - place(b),
  );
  return {
    ok: findings.length === 0,
    entries: chain.entries,
    head: chain.head,
    firstFinding: findings[0] ?? null,
    findings,
    anchoredTo: anchors.to,
    unanchored: chain.entries > anchors.to ? { from: anchors.to + 1, to: chain.entries } : null,
    checkpoints: checkpoints.trusted.length,
  };
}

/** With what was found beside the entries of a ledger that is sound itself. */
export const withTables = (report: Report, found: readonly Finding[]): Report =>
  found.length === 0
    ? report
    : {
        ...report,
        ok: false,
        firstFinding: report.firstFinding ?? found[0] ?? null,
        findings: [...report.findings, ...found],
      };

interface Chain {
  readonly entries: number;
  readonly head: Digest;
  /** At most one: behind it nothing is known. */
  readonly findings: readonly Finding[];
  readonly marks: ReadonlyMap<number, { readonly head: Digest; readonly root: Digest }>;
}

/** Puts the ranges together as if one thread had read them all. */
function joined(ranges: readonly RangeResult[]): Chain {
  const tree = new TreeBuilder();
  const marks = new Map<number, { head: Digest; root: Digest }>();
  let head: Digest = GENESIS_HASH;
  for (const [i, range] of ranges.entries()) {
    const behind = ranges[i + 1]?.first?.link ?? null;
    const border = borderFlaw({ entries: tree.size, head }, range, behind);
    if (border !== null) return { entries: tree.size, head, findings: [border], marks };
    if (range.first === null) continue;

    for (const mark of range.marks) marks.set(mark.size, { head: mark.head, root: rootAt(tree, mark) });
    addAll(tree, range.subtrees);
    head = range.head ?? head;
    const finding = range.finding ?? (range.doubt && settle(range.doubt, behind));
    if (finding !== null) return { entries: tree.size, head, findings: [finding], marks };
  }
  return { entries: tree.size, head, findings: [], marks };
}

function borderFlaw(
  before: Pick<Chain, "entries" | "head">,
  { from, count, first, head }: RangeResult,
  behind: Link | null,
): Finding | null {
  if (from <= before.entries) throw new RangeError(`the range from entry ${from} was verified already`);
  if (first === null) return null;
  if (from > before.entries + 1) return { kind: "gap", seq: before.entries + 1, found: first.seq };
  if (count === 0 || head === null || first.link?.prev === before.head) return null;
  // A second sound row of the range follows its first; otherwise only the next range can tell.
  return count > 1 ? { kind: "replaced", seq: from - 1 } : settle({ seq: from, hash: head, found: from }, behind);
}

function rootAt(before: TreeBuilder, { subtrees }: Mark): Digest {
  const tree = TreeBuilder.from(before.frontier());
  addAll(tree, subtrees);
  return tree.root();
}

const addAll = (tree: TreeBuilder, subtrees: readonly Subtree[]): void => {
  for (const { level, hash } of subtrees) tree.addSubtree(level, hash);
};

/** Holds the chain against the checkpoints, which come in order of size. */
function anchored(chain: Chain, trusted: readonly Checkpoint[]): { to: number; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const largest = trusted.at(-1)?.size ?? 0;
  const isWhole = chain.findings.length === 0;
  if (isWhole && largest > chain.entries) findings.push({ kind: "truncated", expected: largest, found: chain.entries });

  let to = 0;
  for (const { size, root, head } of trusted) {
    if (size > chain.entries) break;
    const mark = chain.marks.get(size);
    if (mark === undefined) throw new RangeError(`nothing was noted at the checkpoint of ${size} entries`);
    if (mark.root !== root || mark.head !== head) {
      findings.push({ kind: "rebuilt", size, after: to, upTo: size });
      break;
    }
    to = size;
  }
  return { to, findings };
}

/** The entry a finding is about, for the order of findings. */
function place(finding: Finding): number {
  switch (finding.kind) {
    case "altered":
    case "replaced":
    case "broken-link":
    case "gap":
    case "call":
    case "question":
    case "session":
      return finding.seq;
    case "rebuilt":
      return finding.upTo;
    case "truncated":
      return finding.found + 1;
    case "other-tables":
    case "bad-checkpoint":
    case "missing":
      return Number.MAX_SAFE_INTEGER;
    default:
      return finding satisfies never;
  }
}
