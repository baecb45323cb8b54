import { resolve } from "node:path";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { LedgerVerdict } from "../../wiring/ledger.ts";
import { openNamedFile } from "../../wiring/open-named-file.ts";
import { type Invocation, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";

const FINGERPRINT = /^[0-9a-f]{64}$/;

export async function verifyCommand(gate: Gate, { flags, terminal, cwd }: Invocation): Promise<number> {
  const { checkpoints, key } = flags;
  if (typeof checkpoints === "string") await mustBeThere(checkpoints, cwd);
  if (typeof key === "string" && !FINGERPRINT.test(key))
    throw new UsageError("`--key` has to be a fingerprint: 64 digits from 0 to f", "`toolgate ledger verify` shows it");
  const verdict = await gate.ledger.verify({
    thisThread: "helps",
    calls: flags["all-calls"] ? "all" : "newest",
    ...(typeof checkpoints === "string" && { checkpointFile: checkpoints }),
    ...(typeof key === "string" && { key }),
  });
  terminal.out(flags["json"] ? `${visibleJson(verdict)}\n` : verdictText(verdict, terminal.outPaint));
  return verdict.ok ? EXIT.ok : EXIT.ledgerBroken;
}

/** A copy that was named wrongly says nothing about the ledger. */
async function mustBeThere(file: string, cwd: string): Promise<void> {
  const opened = await openNamedFile(resolve(cwd, file), "again");
  if (!opened.ok) throw new UsageError(`\`${file}\` ${opened.why}`, "name the copy of checkpoints.jsonl that you kept");
  for await (const _ of opened.chunks) break; // which closes it
}

function verdictText(verdict: LedgerVerdict, paint: Paint): string {
  if ("reason" in verdict)
    return `${paint("red", "broken")} ${visibleLine(verdict.reason)}\n  ${paint("cyan", "hint")} ${visibleLine(verdict.hint)}\n`;
  const { ok, entries, findings, anchoredTo, unanchored, checkpoints, key } = verdict;
  const lines = [
    `${ok ? paint("green", "intact") : paint("red", "broken")} ${entries} entries, ${checkpoints} signed checkpoints, signed up to entry ${anchoredTo}`,
    ...findings.map(({ message }) => `  ${visibleLine(message)}`),
    ...(unanchored
      ? [
          `  entries ${unanchored.from} to ${unanchored.to} are under no checkpoint yet: \`toolgate ledger checkpoint\` signs them`,
        ]
      : []),
    ...(key ? [paint("dim", `  key ${key}`)] : []),
  ];
  return `${lines.join("\n")}\n`;
}
