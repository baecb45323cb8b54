import { describe, expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { codeOf, openScratchGate } from "../../support/scratch-gate.ts";

const GOVERNORS = JSON.stringify({
  permission_governors: [{ id: "strict", type: "script", command: ["bash", "tools/check.sh"] }],
  settings: { auto_decision: "all_approve" },
});
const ASK = [{ id: "ask", effect: "ask" as const, touch: { read: ["./a.txt"] } }];
/** Answers with this status. */
const script = (status: string) => `cat >/dev/null\necho '{"status":"${status}"}'\n`;

function openGoverned() {
  const scratch = openScratchGate({
    rules: ASK,
    files: { "governors.yaml": GOVERNORS },
    config: { governors: "governors.yaml" },
  });
  scratch.put("tools/check.sh", script("approve"));
  scratch.put("a.txt", "a");
  return scratch;
}

const read = (gate: ReturnType<typeof openGoverned>["gate"]) =>
  gate.call({ tool: "read_file", input: { path: "a.txt" } }, { whenAsked: "return" });

needs("bwrap", "prlimit")("the code of a governor", () => {
  it("that was changed answers nothing until a person accepts it", async () => {
    await using scratch = openGoverned();
    expect(codeOf(await read(scratch.gate))).toBe("completed");
    await scratch.gate.close();
    scratch.put("tools/check.sh", `true\n${script("approve")}`);
    const again = scratch.again();
    // It is not asked, so a person has to answer.
    expect(codeOf(await read(again))).not.toBe("completed");
    const looked = await again.upstreams.look("governor:strict");
    expect(looked?.fault).toMatchObject({
      code: "TOOL_CHANGED",
      hint: expect.stringContaining("mcp accept governor:strict"),
    });
    expect(looked?.fault?.message).toContain("tools/check.sh");
    expect(await again.upstreams.accept("governor:strict", looked?.seen.code ?? [])).toEqual(["strict"]);
    expect(codeOf(await read(again))).toBe("completed");
    expect(
      scratch
        .entries()
        .filter(({ kind }) => kind.startsWith("upstream."))
        .map(({ kind }) => kind),
    ).toEqual(["upstream.pinned", "upstream.changed", "upstream.accepted"]);
  });
});

describe("a name that no governor has", () => {
  it("is found under neither kind of name", async () => {
    await using scratch = openGoverned();
    expect(await scratch.gate.upstreams.look("governor:other")).toBe(null);
    expect(await scratch.gate.upstreams.look("strict")).toBe(null);
  });
});
