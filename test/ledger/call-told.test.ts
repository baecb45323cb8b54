import { describe, expect, it } from "vitest";
import type { Digest } from "../../src/domain/digest.ts";
import type { Entry, EntryKind } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { type CallTold, callFlaw, NOTHING_TOLD, toldBy } from "../../src/ledger/call-told.ts";

const HASH = "0".repeat(64) as Digest;

const entry = (seq: number, kind: EntryKind, body: JsonObject = {}): Entry => ({
  ...{ v: 1, seq, kind, body, callId: "c", at: "", project: "p", sessionId: "s", actor: "" },
  ...{ planDigest: null, prev: HASH, hash: HASH },
});

type Told = readonly [EntryKind, JsonObject?];

const toldByAll = (entries: readonly Told[]): CallTold =>
  entries.reduce((told: CallTold, [kind, body], index) => toldBy(entry(index + 1, kind, body), told), NOTHING_TOLD);

const REQUESTED: Told = ["tool.requested", { tool: "count" }];
const ALLOWED: Told = ["tool.decided", { decision: "allow" }];
const ASKED: Told = ["tool.decided", { decision: "ask", approvalId: "q" }];
const answered = (answer: string): Told => ["approval.answered", { answer }];

describe("what entries tell of a call", () => {
  it.each<[string, readonly Told[], readonly string[] | null, number]>([
    ["a request alone", [REQUESTED], null, 1],
    ["let through", [REQUESTED, ALLOWED], ["executing"], 2],
    ["ended", [REQUESTED, ALLOWED, ["tool.executed", { outcome: "failed" }]], ["failed"], 3],
    ["refused", [REQUESTED, ["tool.decided", { decision: "deny" }]], ["refused", "cancelled"], 2],
    ["asked about", [REQUESTED, ASKED], ["awaiting_approval"], 2],
    ["asked about, with what governors said", [REQUESTED, ASKED, ["approval.automatic"]], ["awaiting_approval"], 3],
    [
      "answered at once",
      [REQUESTED, ["tool.decided", { decision: "ask" }], ["approval.automatic", { answer: "approve" }]],
      ["awaiting_approval", "executing"],
      3,
    ],
    ["one yes of several", [REQUESTED, ASKED, ["approval.given"]], ["awaiting_approval"], 3],
    ["approved", [REQUESTED, ASKED, answered("approve")], ["approved"], 3],
    ["rejected", [REQUESTED, ASKED, answered("reject")], ["rejected"], 3],
    ["too late", [REQUESTED, ASKED, answered("expired")], ["expired"], 3],
    ["taken back", [REQUESTED, ASKED, answered("cancelled")], ["cancelled"], 3],
    ["started", [REQUESTED, ASKED, answered("approve"), ["tool.started", { attempt: 1 }]], ["executing"], 4],
    ["a second attempt is a note", [REQUESTED, ALLOWED, ["tool.started", { attempt: 2 }]], ["executing"], 2],
    ["and so is what comes late", [REQUESTED, ALLOWED, ["evidence.late_result"]], ["executing"], 2],
    ["what no version of us has written", [REQUESTED, ["tool.decided", { decision: "perhaps" }]], null, 2],
  ])("%s", (_, entries, states, lastSeq) => {
    expect(toldByAll(entries)).toEqual({
      first: { seq: 1, tool: "count", project: "p", sessionId: "s" },
      lastSeq,
      states,
    });
  });

  const SAID = {
    callId: "c",
    state: "executing",
    tool: "count",
    project: "p",
    sessionId: "s",
    firstSeq: 1,
    lastSeq: 2,
  };

  it.each([
    ["nothing", {}, null],
    ["the state", { state: "completed" }, { what: "state", told: "executing", said: "completed" }],
    ["the tool", { tool: "other" }, { what: "tool", told: "count", said: "other" }],
    ["whose it is", { sessionId: "other" }, { what: "session", told: "s", said: "other" }],
    ["that it is nobody's", { sessionId: null, project: null }, { what: "session", told: "s", said: null }],
    ["its project", { project: "other" }, { what: "project", told: "p", said: "other" }],
    ["the first entry", { firstSeq: 2 }, { what: "first-entry", told: 1, said: 2 }],
    ["the last entry", { lastSeq: 1 }, { what: "last-entry", told: 2, said: 1 }],
  ])("is held against the table: %s", (_, changed, flaw) => {
    const found = callFlaw(toldByAll([REQUESTED, ALLOWED]), { ...SAID, ...changed });
    expect(found).toEqual(flaw && { kind: "call", callId: "c", seq: 2, ...flaw });
  });
});
