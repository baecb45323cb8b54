import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ranAs } from "../../support/as-somebody.ts";

interface Told {
  readonly kind: string;
  readonly structured: Readonly<Record<"stdout" | "stderr", { readonly bytes: number; readonly sha256: string }>>;
  readonly kept: number;
  readonly grownKb: number;
}

const LINE = "some text of a line that says nothing\n";
const CHUNK = 1024 * 1024;

/** Of what a stream of such parts is, so many bytes of it. */
function sha256Of(part: string, bytes: number): string {
  const hash = createHash("sha256");
  const block = Buffer.from(part.repeat(Math.ceil(CHUNK / part.length)));
  for (let left = bytes; left > 0; left -= block.length) hash.update(block.subarray(0, Math.min(left, block.length)));
  return hash.digest("hex");
}

/** All of it is counted and hashed, little is kept, and how much there is makes no difference to the gate's memory. */
export async function printMuch(bytes: number, grownKbMax: number): Promise<void> {
  const told = await ranAs<readonly Told[]>("this user", "prints-much.ts", String(bytes));
  const [zeros, lines] = [sha256Of("\0", bytes), sha256Of(LINE, bytes)];
  expect(told).toMatchObject([
    { kind: "completed", structured: { stdout: { bytes, sha256: zeros, cut: true } } },
    { kind: "completed", structured: { stdout: { bytes, sha256: lines, cut: true } } },
    { kind: "completed", structured: { stderr: { bytes, sha256: lines, cut: true } } },
  ]);
  for (const { kept, grownKb } of told) {
    expect(kept).toBeLessThan(200_000);
    expect(grownKb).toBeLessThan(grownKbMax);
  }
  process.stderr.write(`grown by ${told.map(({ grownKb }) => `${Math.round(grownKb / 1024)} MB`).join(", ")}\n`);
}
