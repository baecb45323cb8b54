import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ranAs } from "../../support/as-somebody.ts";

interface Told {
  readonly kind: string;
  readonly structured: object;
  readonly kept: number;
  readonly grownKb: number;
}

const LINE = "some text of a line that says nothing";
const CHUNK = 1024 * 1024;

/** Commands that print for ever, and what they print. */
const FLOODS = {
  zeros: ["cat /dev/zero", "\0"],
  lines: [`yes '${LINE}'`, `${LINE}\n`],
} as const;

/** Of what a stream of such parts is, so many bytes of it. */
function sha256Of(part: string, bytes: number): string {
  const hash = createHash("sha256");
  const block = Buffer.from(part.repeat(Math.ceil(CHUNK / part.length)));
  for (let left = bytes; left > 0; left -= block.length) hash.update(block.subarray(0, Math.min(left, block.length)));
  return hash.digest("hex");
}

/** All of it is counted and hashed, little is kept, and how much there is makes no difference to the gate's memory. */
export async function printMuch(flood: keyof typeof FLOODS, bytes: number, grownKbMax: number): Promise<void> {
  const [command, part] = FLOODS[flood];
  const told = await ranAs<Told>("this user", "prints-much.ts", String(bytes), command);
  expect(told).toMatchObject({
    kind: "completed",
    structured: { stdout: { bytes, sha256: sha256Of(part, bytes), cut: true } },
  });
  expect(told.kept).toBeLessThan(200_000);
  expect(told.grownKb).toBeLessThan(grownKbMax);
}
