/** Something that is not as it was written. The names of the kinds are part of `ledger verify --json`. */
export type Finding =
  /** `hash`: the text does not hash to the recorded hash. `form`: it does, but it is no entry's text. */
  | { readonly kind: "altered"; readonly seq: number; readonly what: "hash" | "form" }
  /** Sound in itself, but the entries behind it follow another one. */
  | { readonly kind: "replaced"; readonly seq: number }
  /** Its `prev` is not the hash of the entry before it, and nothing behind it vouches for it. */
  | { readonly kind: "broken-link"; readonly seq: number }
  /** Missing, inserted, doubled or moved: where entry `seq` should stand, once, stands one that says it is `found`. */
  | { readonly kind: "gap"; readonly seq: number; readonly found: number }
  /** A signed checkpoint speaks of more entries than there are. */
  | { readonly kind: "truncated"; readonly expected: number; readonly found: number }
  /** A chain without a flaw, but not the one that was signed: it was changed behind `after` and not behind `upTo`. */
  | { readonly kind: "rebuilt"; readonly size: number; readonly after: number; readonly upTo: number }
  /** The table of calls contradicts the entries: `said` stands there, and `told` is what entry `seq` and those before it tell. */
  | {
      readonly kind: "call";
      readonly callId: string;
      readonly seq: number;
      readonly what: "state" | "tool" | "session" | "project" | "first-entry" | "last-entry" | "missing" | "invented";
      readonly told: string | number | null;
      readonly said: string | number | null;
    }
  /** What is kept of a question contradicts the entries in the same way. */
  | {
      readonly kind: "question";
      readonly approvalId: string;
      readonly callId: string;
      readonly seq: number;
      readonly what: "call" | "deadline" | "shown" | "answer" | "missing";
    }
  /** What is kept of a session does. */
  | {
      readonly kind: "session";
      readonly sessionId: string;
      readonly seq: number;
      readonly what: "lease" | "opened" | "end" | "missing" | "invented";
    }
  /** A table, an index or a trigger is not as toolgate makes it. */
  | { readonly kind: "other-tables" }
  | { readonly kind: "bad-checkpoint"; readonly where: string; readonly reason: string }
  | { readonly kind: "missing"; readonly what: "stored-checkpoint" | "filed-checkpoint"; readonly size: number }
  | { readonly kind: "missing"; readonly what: "checkpoint-file" | "public-key" };

export type CallFinding = Extract<Finding, { kind: "call" }>;
export type QuestionFinding = Extract<Finding, { kind: "question" }>;
export type SessionFinding = Extract<Finding, { kind: "session" }>;

/** One line for people. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case "altered":
      return finding.what === "hash"
        ? `entry ${finding.seq} was altered: its text or its hash is not what was written; compare it with a backup`
        : `entry ${finding.seq} is not in the form of an entry; compare it with a backup`;
    case "replaced":
      return `entry ${finding.seq} was replaced: entry ${finding.seq + 1} follows another one; compare it with a backup`;
    case "broken-link":
      return finding.seq === 1
        ? "entry 1 does not begin the chain: entries before it were cut off; compare it with a backup"
        : `entry ${finding.seq} does not follow entry ${finding.seq - 1}; compare both with a backup`;
    case "gap":
      return describeGap(finding);
    case "truncated":
      return `the end was cut off: ${finding.expected} entries were signed for, ${finding.found} are there; restore the rest from a backup`;
    case "rebuilt":
      return `the chain was rebuilt: an entry from ${finding.after + 1} to ${finding.upTo} is not what was signed for; compare them with a backup`;
    case "call":
      return describeCall(finding);
    case "question":
      return `what is kept of the question \`${finding.approvalId}\` ${OF_QUESTION[finding.what]}; compare with a backup`;
    case "session":
      return `what is kept of the session \`${finding.sessionId}\` ${OF_SESSION[finding.what]}; compare with a backup`;
    case "other-tables":
      return "the tables in `journal.db` are not those that toolgate makes, so nothing is written to it; put back a copy";
    case "bad-checkpoint":
      return `the checkpoint in ${finding.where} does not count: ${finding.reason}; compare it with a backup`;
    case "missing":
      return describeMissing(finding);
    default:
      return finding satisfies never;
  }
}

const OF_QUESTION = {
  call: "is about another call than the entries tell",
  deadline: "has another deadline than was written",
  shown: "shows something else than was asked about",
  answer: "has another answer than the entries tell",
  missing: "is gone, and the entries tell of it",
} as const satisfies Record<QuestionFinding["what"], string>;

const OF_SESSION = {
  lease: "has another lease than the entries tell",
  opened: "names another opener, parent or project than the entries",
  end: "has ended otherwise than the entries tell, or not at all",
  missing: "is gone, and the entries tell of it",
  invented: "is told of by no entry",
} as const satisfies Record<SessionFinding["what"], string>;

function describeGap({ seq, found }: Extract<Finding, { kind: "gap" }>): string {
  if (found === seq) return `entry ${seq} is there twice: one was inserted; compare both with a backup`;
  return `entry ${seq} is missing or out of order: entry ${found} stands in its place; compare with a backup`;
}

function describeCall({ callId, what, told, said }: CallFinding): string {
  switch (what) {
    case "state":
      return `the table of calls says that \`${callId}\` is \`${said}\`, and the entries that it is \`${told}\`; compare with a backup`;
    case "tool":
      return `the table of calls says that \`${callId}\` is of the tool \`${said}\`, and the entries \`${told}\`; compare with a backup`;
    case "session":
    case "project":
      return `the table of calls says that \`${callId}\` is of the ${what} \`${said}\`, and the entries \`${told}\`; compare with a backup`;
    case "first-entry":
      return `the table of calls says that \`${callId}\` begins with entry ${said}, and ${told === null ? "that is not its request" : `it begins with ${told}`}; compare with a backup`;
    case "last-entry":
      return `the table of calls says that \`${callId}\` was last changed by entry ${said}, and ${told === null ? "that is not about it" : `that was ${told}`}; compare with a backup`;
    case "missing":
      return `the table of calls does not have \`${callId}\`, which entry ${told} tells of; compare with a backup`;
    case "invented":
      return `the table of calls has \`${callId}\`, which no entry tells of; compare with a backup`;
    default:
      return what satisfies never;
  }
}

function describeMissing(finding: Extract<Finding, { kind: "missing" }>): string {
  switch (finding.what) {
    case "stored-checkpoint":
      return `the checkpoint of ${finding.size} entries is in the file and not in the store; was the store rolled back?`;
    case "filed-checkpoint":
      return `the checkpoint of ${finding.size} entries is in the store and not in the file; was the file rolled back?`;
    case "checkpoint-file":
      return "the checkpoint file beside the store is missing; restore it from a backup";
    case "public-key":
      return "the public key is missing, so no checkpoint can be checked; restore it from a backup";
    default:
      return finding satisfies never;
  }
}
