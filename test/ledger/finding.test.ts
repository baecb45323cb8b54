import { describe, expect, it } from "vitest";
import { describeFinding, type Finding } from "../../src/ledger/finding.ts";

const SAID: readonly (readonly [Finding, string])[] = [
  [{ kind: "altered", seq: 7, what: "hash" }, "entry 7 was altered"],
  [{ kind: "altered", seq: 7, what: "form" }, "entry 7 is not in the form of an entry"],
  [{ kind: "replaced", seq: 7 }, "entry 7 was replaced: entry 8 follows another one"],
  [{ kind: "broken-link", seq: 7 }, "entry 7 does not follow entry 6"],
  [{ kind: "broken-link", seq: 1 }, "entry 1 does not begin the chain"],
  [{ kind: "gap", seq: 7, found: 8 }, "entry 7 is missing or out of order: entry 8 stands in its place"],
  [{ kind: "gap", seq: 7, found: 3 }, "entry 7 is missing or out of order: entry 3 stands in its place"],
  [{ kind: "gap", seq: 7, found: 7 }, "entry 7 is there twice"],
  [{ kind: "truncated", expected: 9, found: 7 }, "9 entries were signed for, 7 are there"],
  [{ kind: "rebuilt", size: 9, after: 4, upTo: 9 }, "an entry from 5 to 9 is not what was signed for"],
  [
    { kind: "call", callId: "c", seq: 7, what: "state", told: "completed", said: "failed" },
    "`c` is `failed`, and the entries that it is `completed`",
  ],
  [
    { kind: "call", callId: "c", seq: 7, what: "tool", told: "a", said: "b" },
    "`c` is of the tool `b`, and the entries `a`",
  ],
  [
    { kind: "call", callId: "c", seq: 7, what: "first-entry", told: 5, said: 6 },
    "begins with entry 6, and it begins with 5",
  ],
  [
    { kind: "call", callId: "c", seq: 7, what: "first-entry", told: null, said: 6 },
    "begins with entry 6, and that is not its request",
  ],
  [
    { kind: "call", callId: "c", seq: 7, what: "last-entry", told: 7, said: 6 },
    "last changed by entry 6, and that was 7",
  ],
  [
    { kind: "call", callId: "c", seq: 6, what: "last-entry", told: null, said: 6 },
    "last changed by entry 6, and that is not about it",
  ],
  [
    { kind: "call", callId: "c", seq: 7, what: "missing", told: 7, said: null },
    "does not have `c`, which entry 7 tells of",
  ],
  [{ kind: "call", callId: "c", seq: 7, what: "invented", told: null, said: null }, "`c`, which no entry tells of"],
  [{ kind: "other-tables" }, "the tables in `journal.db` are not those that toolgate makes"],
  [{ kind: "bad-checkpoint", where: "line 3 of the file", reason: "r" }, "the checkpoint in line 3 of the file"],
  [{ kind: "missing", what: "stored-checkpoint", size: 9 }, "the checkpoint of 9 entries is in the file and not"],
  [{ kind: "missing", what: "filed-checkpoint", size: 9 }, "the checkpoint of 9 entries is in the store and not"],
  [{ kind: "missing", what: "checkpoint-file" }, "the checkpoint file beside the store is missing"],
  [{ kind: "missing", what: "public-key" }, "the public key is missing"],
];

describe("describeFinding", () => {
  it.each(SAID)("of %o", (finding, words) => {
    const line = describeFinding(finding);
    expect(line).toContain(words);
    expect(line, "one line, lower case, no full stop").toMatch(/^[a-z].*[^.\n]$/);
  });
});
