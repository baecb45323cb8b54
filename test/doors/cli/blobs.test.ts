import { Buffer } from "node:buffer";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { blobs } from "../../../src/doors/cli/blobs.ts";
import { call } from "../../../src/doors/cli/call.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const TEXT = `first ${"é".repeat(600_000)} last`;
const BYTES = Buffer.alloc(1_500_000, Buffer.from([0, 1, 255]));

/** The hash of the blob that a read of this content leaves. */
async function kept(cli: Cli, content: string | Uint8Array): Promise<string> {
  cli.put("big", content);
  const { err } = await invoked(cli, call, ["read_file", '{"path":"big"}']);
  return /toolgate blobs get ([0-9a-f]{64})/.exec(err)?.[1] ?? "";
}

describe("toolgate blobs get", () => {
  it.each<[string, string | Uint8Array]>([
    ["a text", TEXT],
    ["bytes", BYTES],
  ])("gives %s back, byte for byte", async (_, content) => {
    using cli = openCli(CONFIG);
    const child = cli.start(["blobs", "get", await kept(cli, content)]);
    child.stdin.end();
    expect((await buffer(child.stdout)).equals(Buffer.from(content))).toBe(true);
  });

  it("says in the cut text how to get the whole", async () => {
    using cli = openCli(CONFIG);
    const hash = await kept(cli, TEXT);
    const { out } = await invoked(cli, call, ["read_file", '{"path":"big"}']);
    expect(out.startsWith("first éé")).toBe(true);
    expect(out).toContain(
      `[TRUNCATED: ${Buffer.byteLength(TEXT)} bytes in all; the whole: toolgate blobs get ${hash}]`,
    );
    expect(out.endsWith("éé last")).toBe(true);
  });

  it("as JSON: text, or Base64 where it is none", async () => {
    using cli = openCli(CONFIG);
    const flags = { json: true };
    const text = await invoked(cli, blobs, ["get", await kept(cli, TEXT)], { flags });
    expect(JSON.parse(text.out)).toMatchObject({ bytes: Buffer.byteLength(TEXT), text: TEXT });
    const bytes = await invoked(cli, blobs, ["get", await kept(cli, BYTES)], { flags });
    expect(JSON.parse(bytes.out)).toMatchObject({ bytes: BYTES.length, base64: BYTES.toString("base64") });
  });

  it("in a terminal shows what would act on it", async () => {
    using cli = openCli(CONFIG);
    const hash = await kept(cli, `\u001b[31m${TEXT}`);
    const { out } = await invoked(cli, blobs, ["get", hash], { isOutTerminal: true });
    expect(out.startsWith("\\u{1b}[31mfirst")).toBe(true);
  });

  it("fails for what is not there, and for what is damaged", async () => {
    using cli = openCli(CONFIG);
    const hash = await kept(cli, TEXT);
    const missing = await invoked(cli, blobs, ["get", "0".repeat(64)]);
    expect(missing).toMatchObject({ code: 1, out: "", err: expect.stringContaining("BLOB_NOT_FOUND") });
    const folder = join(cli.stateDir, "blobs", "default", hash.slice(0, 2));
    expect(readdirSync(folder)).toEqual([hash]);
    writeFileSync(join(folder, hash), TEXT.replace("first", "third"));
    const damaged = await invoked(cli, blobs, ["get", hash], { flags: { json: true } });
    expect(damaged.code).toBe(1);
    expect(JSON.parse(damaged.out)).toMatchObject({ error: { code: "BLOB_DAMAGED" } });
  });

  it.each<[readonly string[], RegExp]>([
    [[], /`blobs` needs a subcommand/],
    [["put"], /`blobs` needs a subcommand/],
    [["get"], /no hash is named/],
    [["get", "abc"], /`abc` is not a hash/],
    [["get", "abc", "def"], /one word too many/],
  ])("%j is not understood", async (words, message) => {
    using cli = openCli(CONFIG);
    await expect(invoked(cli, blobs, words)).rejects.toThrow(message);
  });
});
