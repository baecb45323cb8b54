import type { LedgerReader } from "./ledger-reader.ts";

/** Entries that one thread verifies in one go. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** At most so many ranges, of about the same length, each from the beginning of a segment. Together they are all. */
export function rangesOf(reader: Pick<LedgerReader, "size" | "borderFrom">, parts: number): readonly Range[] {
  const { size } = reader;
  const ideal = Array.from({ length: parts - 1 }, (_, part) => Math.floor((size * (part + 1)) / parts) + 1);
  const borders = new Set(ideal.flatMap((seq) => reader.borderFrom(seq) ?? []));
  const begins = [1, ...[...borders].filter((seq) => seq > 1)];
  return begins.map((from, index) => ({ from, to: (begins[index + 1] ?? size + 1) - 1 }));
}
