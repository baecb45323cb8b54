import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { LedgerVerdict } from "../../wiring/ledger.ts";
import type { Invocation } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";

export async function verifyCommand(gate: Gate, { flags, terminal }: Invocation): Promise<number> {
  const { checkpoints, key } = flags;
  const verdict = await gate.ledger.verify({
    thisThread: "helps",
    ...(typeof checkpoints === "string" && { checkpointFile: checkpoints }),
    ...(typeof key === "string" && { key }),
  });
  terminal.out(flags["json"] ? `${visibleJson(verdict)}\n` : verdictText(verdict, terminal.outPaint));
  return verdict.ok ? EXIT.ok : EXIT.ledgerBroken;
}

function verdictText(verdict: LedgerVerdict, paint: Paint): string {
  if ("reason" in verdict) return `${paint("red", "broken")} ${visibleLine(verdict.reason)}\n`;
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
