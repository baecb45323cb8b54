import { type AwkToken, awkReadings } from "./awk-tokens.ts";
import { STARTS } from "./hazard-reasons.ts";

const RUNS = STARTS.awk;
const WRITES = "is a program that writes or reads files of its choice";

/** Behind these a statement is over, or another one begins. */
const BORDER = /^[;{}\n]$/;

/** Why a program in awk does more than look at its input; null = it does not. What is not understood may run anything. */
export function awkHazard(code: string): string | null {
  const readings = awkReadings(code);
  if (readings === null) return RUNS;
  const hazards = readings.map(hazardIn).filter((hazard) => hazard !== null);
  return hazards.includes(RUNS) ? RUNS : (hazards[0] ?? null);
}

function hazardIn(tokens: readonly AwkToken[]): string | null {
  let isPrinting = false;
  let isReading = false;
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind === "name") {
      if (/^(?:\w+::)?(?:system|ENVIRON)$/.test(text)) return RUNS;
      if (text === "getline") isReading = true;
      if (text === "print" || text === "printf") [isPrinting, depth] = [true, 0];
    }
    if (kind !== "sign") continue;
    if (text === "|" || text === "|&") return RUNS;
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (BORDER.test(text)) [isPrinting, isReading] = [false, false];
    if (text === "<" && isReading) return WRITES;
    if (text.startsWith(">") && isPrinting && depth <= 0) return WRITES;
  }
  return null;
}
