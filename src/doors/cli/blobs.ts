import { Buffer, isUtf8 } from "node:buffer";
import type { Refusal } from "../../domain/outcome.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import type { BlobResult, OpenBlob } from "../../wiring/blob-reader.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { ownSession } from "./own-session.ts";
import { showRefusal } from "./show-refusal.ts";
import { withGate } from "./with-gate.ts";

export const blobs: Command = {
  name: "blobs",
  usage: "blobs get HASH | gc [--dry-run]",
  summary: "print what was too long for a result or a ledger entry, remove what nothing names",
  details:
    "get HASH  the content goes to standard output as it is, without secrets. With --json: `text`, or `base64` where it is no text.\n" +
    "It is verified before the first byte is printed. Exit code: 0, or 1 when nothing is kept under the hash, or it is damaged.\n" +
    "With a token in TOOLGATE_TOKEN only what came of that session's own calls, as far as its lease covers it.\n" +
    "gc        removes what is older than an hour and named by no entry, question or kept outcome. Exit code: 0, or 3 when the\n" +
    "ledger can't be read.",
  examples: [
    "toolgate blobs get af1349b9… > whole.txt",
    "toolgate blobs get af1349b9… --json",
    "toolgate blobs gc --dry-run",
  ],
  subcommands: ["get", "gc"],
  flags: {
    "dry-run": { type: "boolean", of: ["gc"], means: "only say what would be removed" },
    seq: { type: "string", of: ["get"], means: "with a session's token: the ledger entry that names the blob" },
  },
  agents: ["get"],
  run: async (invocation) => {
    const [subcommand, hash, ...rest] = invocation.words;
    if (subcommand !== "get" && subcommand !== "gc")
      throw new CommandLineError("`blobs` needs a subcommand", "it is `get HASH` or `gc`");
    noOtherFlags(blobs, subcommand, invocation.flags);
    if (subcommand === "gc") {
      noWords(hash === undefined ? [] : [hash]);
      return withGate(invocation, undefined, (gate) => collect(gate, invocation));
    }
    if (hash === undefined) throw new CommandLineError("no hash is named", "a truncated result names its hash");
    noWords(rest);
    return withGate(invocation, undefined, async (gate) => {
      const refused = await refusedTo(gate, invocation, hash);
      return refused ?? show(await gate.blobs.get(hash), invocation);
    });
  },
};

/** INVARIANT (knowing is not owning): with a session's token, only what came of its own calls. Null: it may be read. */
async function refusedTo(gate: Gate, invocation: Invocation, hash: string): Promise<number | null> {
  const { flags, terminal } = invocation;
  const own = await ownSession(gate, invocation);
  if ("refusal" in own) return await invocation.refuse(own.refusal);
  if (own.session === undefined) return null;
  const refusal = gate.executions.blobFor(own.session, hash, seqIn(flags));
  if (refusal === null) return null;
  showRefusal(refusal === "unknown" ? NOT_ITS_OWN : refusal, flags, terminal);
  return OUTCOME_EXIT.refused;
}

function seqIn({ seq }: Invocation["flags"]): number | undefined {
  if (seq === undefined) return undefined;
  if (typeof seq !== "string" || !/^[1-9]\d{0,15}$/.test(seq))
    throw new UsageError("--seq has to be a whole number above 0");
  return Number(seq);
}

const NOT_ITS_OWN: Refusal = {
  code: "BLOB_NOT_FOUND",
  stage: "resolve",
  message: "nothing is kept under this hash that came of this session's calls",
  hint: "name the entry that tells of it: `--seq` with the number of the outcome's receipt",
};

async function collect(gate: Gate, { terminal, flags }: Invocation): Promise<number> {
  const isDry = flags["dry-run"] === true;
  const collected = await gate.blobs.collect(isDry ? "look" : "remove");
  if (collected.kind === "refused") {
    showRefusal(collected.refusal, flags, terminal);
    return OUTCOME_EXIT.refused;
  }
  const { kind: _, ...counts } = collected;
  const { removed, removedBytes, kept, keptBytes } = counts;
  if (flags["json"]) terminal.out(`${visibleJson({ dryRun: isDry, ...counts })}\n`);
  else {
    const verb = isDry ? "would remove" : "removed";
    terminal.out(`${verb} ${removed} (${removedBytes} bytes), kept ${kept} (${keptBytes} bytes)\n`);
  }
  return EXIT.ok;
}

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
