import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { made } from "../../redact/samples.ts";
import { ALLOW_ALL, ASK_ALL, asKind, openScratchGate } from "../../support/scratch-gate.ts";

/** The files of the state directory that hold a text, in whatever part of them, also in a page that nothing refers to. */
function filesWith(stateDir: string, text: string): readonly string[] {
  return readdirSync(stateDir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => existsSync(path) && readFileSync(path).includes(text))
    .map((path) => path.slice(stateDir.length + 1));
}

const NAMED = made(40, "alnum", 71);
const KEY_LIKE = `ghp_${made(36, "alnum", 72)}`;
const content = `the named one is ${NAMED}, the other is ${KEY_LIKE}\n`;

const asking = () => openScratchGate({ rules: ASK_ALL, config: { secrets: [{ env: "NAMED" }] }, variables: { NAMED } });

it.each(["approve", "reject"] as const)(
  "S7: after %s, no file of the state holds what the call was given, though the journal stays open",
  async (kind) => {
    await using scratch = asking();
    const call = { tool: "write_file", input: { path: "a.txt", content } };
    const { approval: pending } = asKind(await scratch.gate.call(call, { whenAsked: "return" }), "pending");
    expect(filesWith(scratch.stateDir, NAMED)).not.toEqual([]);
    const question = await scratch.gate.approvals.find(pending.id);
    // Law 7: the approver sees everything but what the operator named.
    expect(JSON.stringify(question?.shown)).toContain(KEY_LIKE);
    await scratch.gate.approvals.answer(pending.id, { kind, who: "ann" });
    const answered = await scratch.gate.approvals.find(pending.id);
    if (kind === "approve" && answered !== null) await scratch.gate.approvals.carryOn(answered);
    for (const secret of [NAMED, KEY_LIKE]) await expect.poll(() => filesWith(scratch.stateDir, secret)).toEqual([]);
    const past = await scratch.gate.approvals.find(pending.id);
    expect(JSON.stringify(past?.shown)).toContain("[REDACTED:github-token]");
  },
);

it("S7: no file of the state holds the key of a call, and the key still stands for the call after a restart", async () => {
  await using scratch = openScratchGate({ rules: ALLOW_ALL });
  const key = `order-${made(30, "alnum", 73)}`;
  const call = { tool: "write_file", input: { path: "a.txt", content: "once" }, key };
  const outcome = await scratch.gate.call(call);
  expect(outcome.kind).toBe("completed");
  expect(filesWith(scratch.stateDir, key)).toEqual([]);
  await scratch.gate.close();
  expect(filesWith(scratch.stateDir, key)).toEqual([]);
  expect(await scratch.again().call(call)).toEqual(outcome);
});

it("S7: the hash of a key differs between callers", async () => {
  await using scratch = openScratchGate({ rules: ALLOW_ALL });
  const call = { tool: "write_file", input: { path: "a.txt", content: "once" }, key: "same" };
  await scratch.gate.call({ ...call, actor: "ann" });
  await scratch.gate.call({ ...call, actor: "ben" });
  const hashes = scratch.entries().flatMap(({ body }) => body["dedupeKey"] ?? []);
  expect([hashes.length, new Set(hashes).size]).toEqual([2, 2]);
});
