import { Buffer, isUtf8 } from "node:buffer";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import type { BlobResult, OpenBlob } from "../../wiring/blob-reader.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { withGate } from "./with-gate.ts";

export const blobs: Command = {
  name: "blobs",
  usage: "blobs get HASH",
  summary: "print what was too long for a result or a ledger entry",
  details:
    "The content goes to standard output as it is, without secrets. With --json: `text`, or `base64` where it is no text.\n" +
    "It is verified before the first byte is printed. Exit code: 0, or 1 when nothing is kept under the hash, or it is damaged.",
  examples: ["toolgate blobs get af1349b9… > whole.txt", "toolgate blobs get af1349b9… --json"],
  flags: {},
  run: async (invocation) => {
    const [subcommand, hash, ...rest] = invocation.words;
    if (subcommand !== "get") throw new UsageError("what about blobs", "`toolgate blobs get HASH`");
    if (hash === undefined) throw new UsageError("which blob", "a truncated result names its hash");
    noWords(rest);
    return withGate(invocation, undefined, async (gate) => show(await gate.blobs.get(hash), invocation));
  },
};

async function show(found: BlobResult<OpenBlob>, { terminal, flags }: Invocation): Promise<number> {
  if (!found.ok) {
    const { code, message, hint } = found.fault;
    if (code === "HASH_INVALID") throw new UsageError(message, hint);
    if (flags["json"]) terminal.out(`${visibleJson({ error: found.fault })}\n`);
    else {
      terminal.err(`${terminal.paint("red", "failed")} ${terminal.paint("bold", code)}\n  ${visibleLine(message)}\n`);
      if (hint) terminal.err(`  ${terminal.paint("cyan", "hint")} ${visibleLine(hint)}\n`);
    }
    return OUTCOME_EXIT.failed;
  }
  const { hash, bytes, chunks } = found.value;
  if (!flags["json"] && !terminal.isOutTerminal) {
    for await (const chunk of chunks()) {
      if (!terminal.isOutOpen()) break;
      terminal.out(chunk);
    }
    return EXIT.ok;
  }
  const whole = Buffer.concat(await Array.fromAsync(chunks()));
  const isText = isUtf8(whole) && !whole.includes(0);
  const content = isText ? { text: whole.toString() } : { base64: whole.toString("base64") };
  if (flags["json"]) terminal.out(`${visibleJson({ hash, bytes, ...content })}\n`);
  else terminal.out(visibleText(content.text ?? `${content.base64}\n`));
  return EXIT.ok;
}
