import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/doors/cli/command.ts";
import { jsonInput } from "../../../src/doors/cli/json-input.ts";
import { paperTerminal } from "../../support/paper-terminal.ts";

const inputOf = (word: string | undefined, input: string | Uint8Array = "") =>
  jsonInput(word, { terminal: paperTerminal({ input }) });

describe("the arguments of a call", () => {
  it("are none where there is no word", async () => expect(await inputOf(undefined)).toEqual({}));

  it.each(['{"a":1}', " [1, 2] ", "null", '"-"'])("are %s", async (text) => {
    expect(JSON.stringify(await inputOf(text))).toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.stringify(await inputOf("-", text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each(["", "{", "{a:1}", "{'a':1}", "undefined", '{"a":1}}', "NaN"])("can't be %j", async (text) => {
    await expect(inputOf(text)).rejects.toThrow(UsageError);
    await expect(inputOf("-", text)).rejects.toThrow("the arguments are not JSON");
  });

  it.each([
    ['{"a":1,"a":2}', "the arguments are refused: line 1, column 8: the name `a` stands twice in one object"],
    ['{"__proto__":1}', "the arguments are refused: line 1, column 2: the name `__proto__` is not allowed"],
  ])("%s are JSON, and yet refused", async (text, message) => {
    await expect(inputOf(text)).rejects.toMatchObject({ message, hint: undefined });
    await expect(inputOf("-", text)).rejects.toMatchObject({ message, hint: undefined });
  });

  it("are quoted on the command line only", async () => {
    await expect(inputOf("{a")).rejects.toMatchObject({ hint: expect.stringContaining("in single quotes") });
    await expect(inputOf("-", "{a")).rejects.toMatchObject({ hint: undefined });
  });

  it("can't be bytes that are no text: something else would be judged than was sent", async () =>
    await expect(inputOf("-", Uint8Array.from([0x22, 0xff, 0x22]))).rejects.toThrow(UsageError));
});
