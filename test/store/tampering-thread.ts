// A part of `tampering.deep.ts` or `line-tampering.deep.ts`, in a ledger of its own.

import { doTasks } from "../support/in-threads.ts";
import { expectLineNamed, expectSplitSound, LINE_MOVES } from "./line-tampering.ts";
import { expectNamed, expectRebuilt, expectTruncated, MOVES } from "./tampering.ts";
import { writeLedgerByGate } from "./written-ledger.ts";

export type TamperTask =
  /** Places in a ledger of 999 entries: which move, or none where the chain is rebuilt from there on, or ends before. */
  | { readonly kind: "moved" | "rebuilt" | "truncated"; readonly name?: string; readonly places: readonly number[] }
  /** All lines of a ledger of 300 entries, in segments of so many. */
  | { readonly kind: "line-moved" | "split"; readonly name?: string; readonly linesPerSegment: number };

doTasks<TamperTask, number>((task) => ("places" in task ? inLongLedger(task) : inSegments(task)));

/** How many places were tried. Throws at the first where the wrong thing was found. */
async function inLongLedger({ kind, name, places }: Extract<TamperTask, { places: unknown }>): Promise<number> {
  const signedAt = [99, 399, 999];
  await using ledger = await writeLedgerByGate(999, signedAt);
  const move = MOVES.find((one) => one.name === name);
  if (kind === "moved" && move) await expectNamed(move, ledger, places);
  if (kind === "rebuilt") for (const seq of places) await expectRebuilt(ledger, seq, signedAt);
  if (kind === "truncated") for (const k of places) await expectTruncated(ledger, k);
  return places.length;
}

async function inSegments({
  name,
  linesPerSegment,
}: Extract<TamperTask, { linesPerSegment: unknown }>): Promise<number> {
  await using ledger = await writeLedgerByGate(300, [60, 180], { atOnce: 10 });
  const move = LINE_MOVES.find((one) => one.name === name);
  if (move) return await expectLineNamed(move, ledger, linesPerSegment);
  await expectSplitSound(ledger, linesPerSegment);
  return ledger.rows.length;
}
