import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "../../src/domain/outcome.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { asKind, openScratchGate } from "../support/scratch-gate.ts";
import { made, namedSecrets, redactorOf } from "./samples.ts";

const VALUE = made(40, "alnum", 81);
const TOKEN = `ghp_${made(36, "alnum", 82)}`;

const texts = (...parts: readonly string[]): readonly Content[] => parts.map((text) => ({ type: "text", text }));
const joined = (content: readonly Content[]): string =>
  content.map((item) => ("text" in item && typeof item.text === "string" ? item.text : "")).join("");

describe("a secret that is split over the texts of a result", () => {
  it.each([
    ["a known value", VALUE],
    ["a token", TOKEN],
    ["a password by its name", `password=${made(20, "alnum", 83)}`],
  ])("is found wherever it is cut: %s", async (_, secret) => {
    const redactor = await redactorOf({ secrets: namedSecrets({ NAMED: VALUE }) });
    for (let cut = 1; cut < secret.length; cut++) {
      const content = texts(`before ${secret.slice(0, cut)}`, `${secret.slice(cut)} after`);
      const clean = redactor.redactContent(content).content;
      expect(joined(clean)).not.toContain(secret.slice(-12));
      expect(joined(clean)).toMatch(/^before .*\[REDACTED:[\w-]+\].* after$/);
      expect(redactor.redactContent(clean).content).toEqual(clean);
    }
  });

  it("is found a character at a time, and with pictures and resources between", async () => {
    const redactor = await redactorOf({ secrets: namedSecrets({ NAMED: VALUE }) });
    const content: Content[] = [...VALUE].flatMap((text) => [
      { type: "text", text },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ]);
    const clean = redactor.redactContent(content).content;
    expect(joined(clean)).not.toContain(VALUE.slice(0, 2));
    expect(clean.filter(({ type }) => type === "image")).toEqual(content.filter(({ type }) => type === "image"));
  });

  it("changes nothing, and copies nothing, if no secret is there", async () => {
    const redactor = await redactorOf({ secrets: namedSecrets({ NAMED: VALUE }) });
    const content = texts(
      "the token",
      "is not shown",
      "password",
      ": none",
      VALUE.slice(0, 5),
      " and ",
      VALUE.slice(5, 9),
    );
    expect(redactor.redactContent(content).content).toBe(content);
  });

  it("gives the same the second time, for any parts of secrets in any items", async () => {
    const redactor = await redactorOf({ secrets: namedSecrets({ NAMED: VALUE }) });
    const part = fc.tuple(fc.constantFrom(VALUE, TOKEN, "password=", " ", "\n", "\u00e9"), fc.nat(45), fc.nat(45));
    const item = fc
      .array(part, { maxLength: 4 })
      .map((parts) => parts.map(([text, from, to]) => text.slice(from, to)).join(""));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const clean = redactor.redactContent(texts(...items)).content;
        expect(joined(clean)).not.toContain(VALUE);
        expect(redactor.redactContent(clean).content).toEqual(clean);
      }),
    );
  });

  it("S7: does not leave the gate, in a short result and in a long one", async () => {
    for (const filling of ["", "plain text\n".repeat(4000)]) {
      const split = defineTool({
        name: "split",
        description: "prints a secret in two items",
        inputSchema: { type: "object" },
        touches: () => [{ kind: "read", path: "/tmp/a.txt" }],
        execute: () => ({ content: texts(`${filling}${VALUE.slice(0, 15)}`, `${VALUE.slice(15)}${filling}`) }),
      });
      await using scratch = openScratchGate({
        tools: [split as never],
        rules: [{ id: "all", effect: "allow" }],
        config: { secrets: [{ env: "NAMED" }] },
        variables: { NAMED: VALUE },
      });
      const { content } = asKind(await scratch.gate.call({ tool: "split", input: {} }), "completed");
      expect(joined(content)).toContain("[REDACTED:NAMED]");
      expect(joined(content)).not.toContain(VALUE.slice(15));
    }
  });
});
