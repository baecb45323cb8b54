import { describe, expect, it } from "vitest";
import { Offer } from "../../src/formats/offer.ts";
import type { ReadCall } from "../../src/formats/read-calls.ts";
import { refused, tool } from "./some-tools.ts";

const call = (name: string, input: ReadCall["input"] = { value: {} }): ReadCall => ({
  id: "c",
  isIdGiven: true,
  name,
  input,
});

describe("an offer of tools", () => {
  const offer = new Offer("openai", [
    tool("github.create_issue"),
    tool("read_file", {
      inputSchema: {
        type: "object",
        properties: { path: { type: "string" }, limit: { type: "integer" } },
        required: ["path"],
      },
    }),
    tool("free", { inputSchema: { type: "object", additionalProperties: true } }),
  ]);

  it("offers those that `only` names by their own names, and knows all of them", () => {
    const names = ["git", "git_log", "read.file", "readXfile"];
    const all = new Offer(
      "openai",
      names.map((name) => tool(name)),
    );
    const told = (only: readonly string[]) => all.tools({ only }).map(({ function: made }) => made.name);
    expect([["git*"], ["git", "read.file"], ["*"], [], ["read.*"]].map((only) => told(only).length)).toEqual([
      2, 2, 4, 0, 1,
    ]);
    expect(all.tools()).toHaveLength(4);
  });

  it("knows each tool by the name that was offered", () => {
    const [{ function: made } = { function: { name: "" } }] = offer.tools();
    expect(made.name).toMatch(/^github_create_issue_/);
    expect(offer.meant(call(made.name))).toEqual({ kind: "call", tool: "github.create_issue", input: {} });
  });

  it("refuses a tool's own name where another was offered, and says which", () => {
    expect(offer.meant(call("github.create_issue"))).toMatchObject({
      kind: "refused",
      refusal: {
        code: "TOOL_UNKNOWN",
        message: expect.stringMatching(/^here the tool is called `github_create_issue_/),
      },
    });
  });

  it("leaves names of nobody to the gate, which records them", () => {
    expect(offer.meant(call("rm_rf"))).toEqual({ kind: "call", tool: "rm_rf", input: {} });
  });

  it("takes null for an optional member as absent where the function is strict, and nowhere else", () => {
    const value = { path: "a", limit: null };
    expect(offer.meant(call("read_file", { value }))).toMatchObject({ input: { path: "a" } });
    expect(offer.meant(call("free", { value }))).toMatchObject({ input: value });
    expect(offer.meant(call("read_file", { value: { path: null } }))).toMatchObject({ input: { path: null } });
  });

  it("refuses what is no call", () => {
    expect(offer.meant(call("read_file", { unusable: "not JSON" }))).toEqual({
      kind: "refused",
      refusal: { code: "INVALID_ARGUMENTS", stage: "validate", message: "not JSON" },
    });
  });

  it("tells of names that are near, as they were offered", () => {
    const unknownTool = refused({ code: "TOOL_UNKNOWN", message: "no tool is called `reed_file`" });
    const [message] = offer.results([{ call: call("reed_file"), outcome: unknownTool }]);
    expect(message?.content).toContain("no tool is called `reed_file`; near it: `read_file`.");
    const [far] = offer.results([{ call: call("zzzzzzzzzzzzzzz"), outcome: unknownTool }]);
    expect(far?.content).not.toContain("near it");
  });

  it("searches no near name in very many", () => {
    const many = new Offer(
      "openai",
      Array.from({ length: 2001 }, (_, n) => tool(`reed_file${n}`)),
    );
    const [message] = many.results([{ call: call("reed_file"), outcome: refused({ code: "TOOL_UNKNOWN" }) }]);
    expect(message?.content).not.toContain("near it");
  });
});
