import { describe, expect, it } from "vitest";
import { withoutKeyLines } from "../../src/redact/diff-lines.ts";
import { redactorFor } from "../support/redaction.ts";

/** Of nobody's key. */
const LINES = [
  "MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJd",
  "fQxgOv8hLk2iMwTn4oY0xqUuV9cZbWm3sPzEr6dK",
  "mZ0pW8eJxD4hYgVn",
];
const keyOf = (kind: string, mark = ""): string =>
  [`-----BEGIN ${kind}-----`, ...LINES, `-----END ${kind}-----`].map((line) => `${mark}${line}\n`).join("");
const MARK = "[REDACTED:private-key]";

describe("a diff beside a private key", () => {
  it.each<[string, string, string]>([
    [
      "lines around",
      ` ${LINES[2]}\n -----END PRIVATE KEY-----\n-b\n+B\n`,
      ` ${MARK}\n -----END PRIVATE KEY-----\n-b\n+B\n`,
    ],
    ["a line that goes, and one that comes", `-${LINES[0]}\n+${LINES[0]}x\n`, `-${MARK}\n+${LINES[0]}x\n`],
    ["a line that is none of the key", ` ${LINES[0]} \n b\n`, ` ${LINES[0]} \n b\n`],
    ["no end", ` ${LINES[1]}`, ` ${MARK}`],
  ])("%s", (_, diff, left) => {
    expect(withoutKeyLines(diff, [`a\n${keyOf("PRIVATE KEY")}b\n`])).toBe(left);
  });

  it.each<[string, string, number]>([
    ["with CRLF", keyOf("RSA PRIVATE KEY").replaceAll("\n", "\r\n"), 0],
    ["in quotes", keyOf("PRIVATE KEY", "  > "), 0],
    ["cut off", keyOf("PRIVATE KEY").split("-----END")[0] ?? "", 0],
    ["a certificate", keyOf("CERTIFICATE"), LINES.length],
    ["lines alone", LINES.join("\n"), LINES.length],
  ])("%s", (_, text, shown) => {
    const diff = text
      .split("\n")
      .map((line) => ` ${line}`)
      .join("\n");
    const left = withoutKeyLines(diff, [null, text]);
    expect(LINES.filter((line) => left.includes(line))).toHaveLength(shown);
  });

  it("shows no more of the key than its texts do", () => {
    const [oldText, newText] = [`${keyOf("PRIVATE KEY")}b\n`, `${keyOf("PRIVATE KEY")}B\n`];
    const item = { type: "diff", path: "a", diff: ` ${LINES[2]}\n-b\n+B\n`, oldText, newText } as const;
    const redacted = redactorFor().redactContent([item]).content;
    expect(redacted).toEqual([
      { ...item, diff: ` ${MARK}\n-b\n+B\n`, oldText: `${MARK}\nb\n`, newText: `${MARK}\nB\n` },
    ]);
    expect(redactorFor().redactContent(redacted).content).toEqual(redacted);
    expect(redactorFor().certain.redactContent([item]).content).toEqual([item]);
  });
});

it("of keys that stand one behind the other, in one line and over several, each line is found once", () => {
  const inOneLine = `-----BEGIN PRIVATE KEY-----\\n${LINES[0]} `.repeat(20_000);
  const text = `${inOneLine}${keyOf("PRIVATE KEY")}${inOneLine}`;
  const diff = LINES.map((line) => ` ${line}`).join("\n");
  expect(withoutKeyLines(diff, [text])).toBe(LINES.map(() => ` ${MARK}`).join("\n"));
});
