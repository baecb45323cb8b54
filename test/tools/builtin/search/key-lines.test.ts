import { describe, expect, it } from "vitest";
import { lineLook, mayBeOfKey } from "../../../../src/tools/builtin/search/key-lines.ts";
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
    ["aLongNameOfAFunction", false],
    [`digest: ${BODY}`, false],
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
    const look = await lineLook(scratch.files, redactorFor(), content === null ? `${path}-gone` : path);
    expect(look({ number: 2, text: BODY })).toBe(expected);
  });
});
