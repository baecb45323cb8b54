import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTrust, type TrustStore } from "../../src/config/trust.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import { startProgram } from "../support/started-program.ts";
import { openScratch, type Scratch } from "./scratch.ts";

const NOW_MS = Date.UTC(2026, 0, 2);
const TEXT = "rules: []\n";

let scratch: Scratch;
let config: string;
let file: string;
let trust: TrustStore;

beforeEach(() => {
  scratch = openScratch();
  config = scratch.put("ws/toolgate.yaml", TEXT);
  file = join(scratch.folder, "state", "toolgate", "trusted");
  trust = openTrust({ xdgState: join(scratch.folder, "state") });
});
afterEach(() => scratch[Symbol.dispose]());

function replaced(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true });
  make(path);
}

describe("what is trusted", () => {
  it("is nothing before somebody says so, then exactly this text at this path", () => {
    expect(trust.isTrusted(config, TEXT)).toBe(false);
    expect(trust.trust(config, TEXT, NOW_MS)).toEqual({ ok: true });
    expect(trust.isTrusted(config, TEXT)).toBe(true);
    expect(trust.isTrusted(config, `${TEXT} `)).toBe(false);
    expect(trust.isTrusted(scratch.put("other/toolgate.yaml", TEXT), TEXT)).toBe(false);
  });

  it("stays so while another process accepts something", async () => {
    trust.trust(config, TEXT, NOW_MS);
    const line = JSON.stringify({ path: `/${"x".repeat(300)}`, sha256: "0", at: "" });
    await using program = startProgram("appends-lines.ts", [file, line, "500000"]);
    await program.line();
    do expect(trust.isTrusted(config, TEXT)).toBe(true);
    while (statSync(file).size < 500_000);
    await program.ended();
  });

  it.each([
    ["short of its end", (line: string) => line.slice(0, -1)],
    ["in the middle", (line: string) => line.slice(0, 40)],
    ["whole but for the end of the line", (line: string) => line],
  ])("stays so while the line of another process is half written, %s, which itself accepts nothing yet", (_, cut) => {
    trust.trust(config, TEXT, NOW_MS);
    const line = JSON.stringify({ path: config, sha256: digestOfText("other"), at: "" });
    appendFileSync(file, cut(line));
    expect([trust.isTrusted(config, TEXT), trust.isTrusted(config, "other")]).toEqual([true, false]);
    appendFileSync(file, `${line.slice(cut(line).length)}\n`);
    expect([trust.isTrusted(config, TEXT), trust.isTrusted(config, "other")]).toEqual([true, true]);
  });

  it("stays so wherever the line of a path that is not ASCII is cut", () => {
    const other = scratch.put("ünï/😀/toolgate.yaml", TEXT);
    trust.trust(config, TEXT, NOW_MS);
    const before = statSync(file).size;
    trust.trust(other, TEXT, NOW_MS);
    const bytes = readFileSync(file);
    for (let end = before; end <= bytes.length; end++) {
      writeFileSync(file, bytes.subarray(0, end));
      expect([trust.isTrusted(config, TEXT), trust.isTrusted(other, TEXT)]).toEqual([true, end === bytes.length]);
    }
  });

  it("is nothing more where the file could not be read with it, and all that it was", () => {
    trust.trust(config, TEXT, NOW_MS);
    const line = `${JSON.stringify({ path: `/${"x".repeat(1000)}`, sha256: "0", at: "" })}\n`;
    appendFileSync(file, line.repeat(Math.floor((1024 * 1024 - statSync(file).size) / line.length)));
    for (let i = 0; i < 10; i++) trust.trust(config, `${TEXT}${i}`, NOW_MS);
    expect(trust.trust(config, "last", NOW_MS)).toMatchObject({
      ok: false,
      message: expect.stringContaining("no room"),
    });
    expect([trust.isTrusted(config, TEXT), trust.isTrusted(config, "last")]).toEqual([true, false]);
  });

  it("is several configs side by side, and several texts of one", () => {
    const other = scratch.put("other/toolgate.yaml", "x");
    trust.trust(config, TEXT, NOW_MS);
    trust.trust(other, "x", NOW_MS);
    trust.trust(config, "y", NOW_MS);
    expect([trust.isTrusted(config, TEXT), trust.isTrusted(other, "x"), trust.isTrusted(config, "y")]).toEqual([
      true,
      true,
      true,
    ]);
    expect(trust.isTrusted(other, "y")).toBe(false);
  });

  it("is the file that a link leads to", () => {
    const link = join(scratch.folder, "link.yaml");
    symlinkSync("ws/toolgate.yaml", link);
    trust.trust(link, TEXT, NOW_MS);
    expect(trust.isTrusted(config, TEXT)).toBe(true);
    rmSync(link);
    symlinkSync("ws/elsewhere.yaml", link);
    expect(trust.isTrusted(link, TEXT)).toBe(false);
  });
});

describe("the file", () => {
  it("holds one line for each, once, and is this user's alone", () => {
    trust.trust(config, TEXT, NOW_MS);
    trust.trust(config, TEXT, NOW_MS + 1);
    const line = { path: config, sha256: digestOfText(TEXT), at: "2026-01-02T00:00:00.000Z" };
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(line)}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  });

  it.each<[string, damage: () => void]>([
    ["a line that is no JSON", () => appendFileSync(file, "{\n")],
    ["a line that is no object", () => appendFileSync(file, "[]\n")],
    ["a line without a hash", () => appendFileSync(file, '{"path":"/x","at":"x"}\n')],
    ["a line without a path", () => appendFileSync(file, '{"sha256":"0","at":"x"}\n')],
    ["a line without a time", () => appendFileSync(file, '{"path":"/x","sha256":"0"}\n')],
    ["an empty line", () => appendFileSync(file, "\n")],
    ["bytes that are no text", () => appendFileSync(file, Uint8Array.of(0xff, 0x0a))],
    ["a mode that lets the group write", () => chmodSync(file, 0o620)],
    ["a mode that lets everybody write", () => chmodSync(file, 0o602)],
    ["a folder in its place", () => replaced(file, mkdirSync)],
    ["a file in its folder's place", () => replaced(join(file, ".."), (path) => writeFileSync(path, ""))],
  ])("with %s trusts nothing, and takes nothing new", (_, damage) => {
    trust.trust(config, TEXT, NOW_MS);
    damage();
    expect(trust.isTrusted(config, TEXT)).toBe(false);
    expect(trust.trust(config, "new", NOW_MS)).toMatchObject({
      ok: false,
      message: expect.stringContaining("is damaged"),
    });
  });

  it("with a last line cut short for good trusts what is whole, and takes nothing new", () => {
    trust.trust(config, TEXT, NOW_MS);
    appendFileSync(file, "{");
    expect(trust.isTrusted(config, TEXT)).toBe(true);
    const message = expect.stringContaining("was cut short");
    expect(trust.trust(config, "new", NOW_MS)).toMatchObject({ ok: false, message });
    expect(trust.trust(config, TEXT, NOW_MS)).toEqual({ ok: true });
  });

  it("that has no room for a whole line says so, and keeps those that it has", async () => {
    const fill = ["bash", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "-"]; // 1024 bytes
    await using program = startProgram("accepts-texts.ts", [join(scratch.folder, "state"), config, "20"], fill);
    const said = (await program.ended()).map((line) => JSON.parse(line));
    expect(said.every(({ accepted, isTrusted }) => accepted.ok === isTrusted)).toBe(true);
    const full = said.find(({ accepted }) => !accepted.ok);
    expect(full.accepted.message).toContain("can't be written");
    expect([trust.isTrusted(config, "0"), trust.trust(config, "new", NOW_MS)]).toEqual([true, { ok: true }]);
  });

  it.each<[string, (state: string) => void]>([
    ["the file", () => symlinkSync("../../elsewhere/trusted", file)],
    ["the file, to nowhere", () => symlinkSync("../../nowhere", file)],
    ["the file, to itself", () => symlinkSync("trusted", file)],
    ["its folder", (state) => replaced(join(state, "toolgate"), (path) => symlinkSync("../elsewhere", path))],
  ])("is not relied on behind a link in the place of %s, where tools may write", (_, link) => {
    const elsewhere = openTrust({ xdgState: scratch.folder });
    expect(elsewhere.trust(config, TEXT, NOW_MS)).toEqual({ ok: true });
    renameSync(join(scratch.folder, "toolgate"), join(scratch.folder, "elsewhere"));
    mkdirSync(join(file, ".."), { recursive: true });
    link(join(scratch.folder, "state"));
    expect(trust.isTrusted(config, TEXT)).toBe(false);
    expect(trust.trust(config, TEXT, NOW_MS)).toEqual({
      ok: false,
      message: `the trust file \`${file}\` is behind a link, under another name than the rules close to tools`,
      hint: "have a folder `toolgate` with a file `trusted` where the link leads, and accept the config again",
    });
  });

  it("is relied on behind a link that leads to the same names", () => {
    expect(openTrust({ xdgState: join(scratch.folder, "kept") }).trust(config, TEXT, NOW_MS)).toEqual({ ok: true });
    mkdirSync(join(scratch.folder, "state"));
    symlinkSync("../kept/toolgate", join(scratch.folder, "state/toolgate"));
    expect(trust.isTrusted(config, TEXT)).toBe(true);
    expect(trust.trust(config, "new", NOW_MS)).toEqual({ ok: true });
  });

  it("that can't be reached is no link", () => {
    mkdirSync(join(scratch.folder, "state"));
    writeFileSync(join(scratch.folder, "state/toolgate"), "");
    expect(trust.trust(config, TEXT, NOW_MS)).toMatchObject({
      ok: false,
      message: expect.not.stringContaining("link"),
    });
  });

  it("keeps what it knows where it lies", () => {
    trust.trust(config, TEXT, NOW_MS);
    renameSync(join(scratch.folder, "state"), join(scratch.folder, "moved"));
    expect(trust.isTrusted(config, TEXT)).toBe(false);
    expect(openTrust({ xdgState: join(scratch.folder, "moved") }).isTrusted(config, TEXT)).toBe(true);
  });
});

it("a user without a home trusts nothing", () => {
  const nowhere = openTrust({ xdgState: null });
  expect(nowhere.trust(config, TEXT, NOW_MS)).toMatchObject({ ok: false, hint: "set `HOME` or `XDG_STATE_HOME`" });
  expect(nowhere.isTrusted(config, TEXT)).toBe(false);
});
