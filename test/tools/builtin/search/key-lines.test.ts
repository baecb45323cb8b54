import { describe, expect, it } from "vitest";
import { CloseLooks, lineLook, mayBeOfKey } from "../../../../src/tools/builtin/search/key-lines.ts";
import { openScratch } from "../../../files/scratch.ts";
import { redactorFor } from "../../../support/redaction.ts";

const BODY = "MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBALRiMLAHudeSA2ai";
const key = (kind: string): string => `-----BEGIN ${kind}-----\n${BODY}\n-----END ${kind}-----\n`;
const UNSURE = "[REDACTED:private-key]";

describe("a line that may be of a key", () => {
  it.each<[string, boolean]>([
    [BODY, true],
    [`    ${BODY}\r`, true],
    [`"${BODY}\\n",`, true],
    ["mZ0pW8eJxD4hYgVnA6sQ==", true],
    [`  b'${BODY}\\n' + //`, true],
    [BODY.slice(0, 32), true],
    ["aLongNameOfAFunction", true], // which only its file tells
    ["aShortName", false],
    [`{ digest: ${BODY} }`, false],
    ["", false],
  ])("%j: %s", (line, expected) => expect(mayBeOfKey(line)).toBe(expected));

  it.each<[string, string | null, string]>([
    ["of a private key", key("PRIVATE KEY"), UNSURE],
    ["of a certificate", key("CERTIFICATE"), BODY],
    ["that is no longer there", "other\nother\n", UNSURE],
    ["behind the end of what is there now", "other", UNSURE],
    ["of a file that is gone", null, UNSURE],
  ])("%s: %3$s", async (_, content, expected) => {
    using scratch = openScratch();
    const path = scratch.put("a", content ?? "");
    const look = await lineLook(
      scratch.files,
      redactorFor(),
      content === null ? `${path}-gone` : path,
      new CloseLooks(),
    );
    expect(look({ number: 2, text: BODY })).toBe(expected);
  });

  it("of a file that nobody reads whole is not shown where it is nearly all Base64", async () => {
    using scratch = openScratch();
    const path = scratch.put("a", "x".repeat(9 * 1024 * 1024));
    const look = await lineLook(scratch.files, redactorFor(), path, new CloseLooks());
    const lines = [BODY, `"${BODY}\\n",`, "[info] anOrdinaryLongIdentifier did something"];
    expect(lines.map((text) => look({ number: 1, text }))).toEqual([UNSURE, UNSURE, lines[2]]);
  });

  it("is looked at closely only so often in one search, and is not shown then", async () => {
    using scratch = openScratch();
    const path = scratch.put("a", `${key("CERTIFICATE").repeat(100)}anOrdinaryLongIdentifier\n`);
    const look = await lineLook(scratch.files, redactorFor(), path, new CloseLooks());
    const shown = Array.from({ length: 100 }, (_, n) => look({ number: 3 * n + 2, text: BODY }));
    expect([shown.filter((text) => text === BODY).length, shown.at(-1)]).toEqual([64, UNSURE]);
    expect(look({ number: 2, text: "other" })).toBe(UNSURE);
  });

  it("is told in the time that its length takes", () => {
    // By one expression, in which neighbours overlap, this took minutes.
    for (const end of ["!", ""]) mayBeOfKey(`${"+".repeat(500_000)}${"n".repeat(500_000)}${end}`);
  });
});
