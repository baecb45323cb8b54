import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errnoOf, faultFromErrno, faultFromError, labelFrom } from "../../src/files/faults.ts";

describe("labelFrom", () => {
  it.each([
    ["a\nb", "`a\\u{a}b`"],
    ["a`b", "`a\\u{60}b`"],
    ["a\u202eb", "`a\\u{202e}b`"],
    ["é\\x", "`é\\x`"],
  ])("keeps %j on one line", (path, label) => {
    expect(labelFrom("/srv/ws", `/srv/ws/${path}`)).toBe(label);
  });

  it("cuts a long path at its beginning", () => {
    expect(labelFrom("/", `/${"d/".repeat(500)}end.txt`)).toMatch(/^`….{190,}end\.txt`$/);
  });
});

const CODES: [string, string][] = [
  ["EACCES", "ACCESS_DENIED"],
  ["EPERM", "ACCESS_DENIED"],
  ["ERR_ACCESS_DENIED", "ACCESS_DENIED"],
  ["EROFS", "ACCESS_DENIED"],
  ["ENOENT", "FILE_NOT_FOUND"],
  ["ENOTDIR", "PATH_INVALID"],
  ["ELOOP", "PATH_INVALID"],
  ["ENAMETOOLONG", "PATH_INVALID"],
  ["EISDIR", "NOT_REGULAR_FILE"],
  ["ENOSPC", "IO_ERROR"],
  ["EIO", "IO_ERROR"],
  ["constructor", "IO_ERROR"],
];

describe("faultFromErrno", () => {
  it.each(CODES)("turns %s into %s, in one lower-case line without a full stop", (errno, code) => {
    const result = faultFromErrno(errno, "`a`");
    expect(result).toMatchObject({
      ok: false,
      fault: { code, message: expect.stringMatching(/^`a` [a-z][^\n]*[^.]$/) },
    });
  });
});

describe("faultFromError", () => {
  it("answers what the operating system said", () => {
    const error = thrownBy(() => readFileSync("/nosuch/file"));
    expect(errnoOf(error)).toBe("ENOENT");
    expect(faultFromError(error, "`a`")).toMatchObject({ fault: { code: "FILE_NOT_FOUND" } });
  });

  it("throws our own mistakes on", () => {
    const mistake = new TypeError("mistake");
    expect(thrownBy(() => faultFromError(mistake, "`a`"))).toBe(mistake);
    expect(errnoOf("ENOENT")).toBeUndefined();
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
