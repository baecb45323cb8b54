import { describe, expect, it } from "vitest";
import { hashOfToken, isToken, sessionOfToken, tokenFrom } from "../../src/sessions/token.ts";

const SECRET = Buffer.alloc(32, 7);
const TOKEN = tokenFrom("session_01", SECRET);

describe("a token", () => {
  it("names its session and holds 256 bits", () => {
    expect(TOKEN).toBe(`tgs_01.${SECRET.toString("base64url")}`);
    expect(sessionOfToken(TOKEN)).toBe("session_01");
  });

  it.each([
    ["nothing", ""],
    ["another prefix", TOKEN.replace("tgs", "tga")],
    ["one character less", TOKEN.slice(0, -1)],
    ["one character more", `${TOKEN}a`],
    ["no session", TOKEN.replace("01", "")],
    ["a long session", TOKEN.replace("01", "1".repeat(129))],
    ["a line end", `${TOKEN}\n`],
    ["something in front", ` ${TOKEN}`],
    ["a path", TOKEN.replace("01", "../x")],
  ])("is none with %s", (_, text) => expect(sessionOfToken(text)).toBe(null));

  it.each([
    ["its own hash", TOKEN, hashOfToken(TOKEN), true],
    ["another token's hash", TOKEN, hashOfToken(`${TOKEN}x`), false],
    ["no hash", TOKEN, null, false],
    ["a hash of another length", TOKEN, new Uint8Array(31), false],
    ["an empty hash", TOKEN, new Uint8Array(0), false],
    ["nothing against zeros", "", new Uint8Array(32), false],
  ])("is right or not against %s", (_, token, hash, right) => expect(isToken(token, hash)).toBe(right));
});
