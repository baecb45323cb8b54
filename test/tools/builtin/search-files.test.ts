import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { openBubblewrap } from "../../../src/sandbox/bubblewrap.ts";
import { searchFilesTool } from "../../../src/tools/builtin/search-files.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { openDescriptors, openScratch, type Scratch, SENTINEL } from "../../files/scratch.ts";
import { realSandbox, scripted } from "../../sandbox/real-sandbox.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { redactorFor } from "../../support/redaction.ts";
import { codeOf, messageOf, textOf, touchesOf, type UseOptions, useTool } from "./use-tool.ts";

const SECRET = "Zx9Kq7Lm2Pw4Rt8Vb6Nc1Yd3Hf5Jg0Sa";

/** Of nobody's key. */
const KEY_LINES = [
  "MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBALRiMLAHudeSA2ai",
  "fQxgOv8hLk2iMwTn4oY0xqUuV9cZbWm3sPzEr6dKtGjHfN1aXyQ5oR7vC2uBiTkL",
  "mZ0pW8eJxD4hYgVnA6sQrFtUcI==",
];

const tool = (scratch: Scratch, clock: Clock = systemClock, sandbox: Sandbox = realSandbox(scratch.workspace)) =>
  searchFilesTool({ files: scratch.files, sandbox, clock, redactor: redactorFor({ S: SECRET }) });

const search = (scratch: Scratch, input: object, options: UseOptions = {}) =>
  useTool(tool(scratch), { query: "needle", ...input }, options);

const linesOf = async (scratch: Scratch, input: object = {}, hide: readonly string[] = []) =>
  textOf(await search(scratch, input, { hide })).split("\n");

function openTree(): Scratch {
  const scratch = openScratch();
  scratch.put("a.ts", "one\nneedle here\nthree\n");
  scratch.put("src/b.ts", "NEEDLE\nneedle(1)\nx needle\n");
  scratch.put("src/deep/c.md", "a needle in the hay");
  scratch.put(".hidden", "needle\n");
  scratch.put(".git/config", "needle\n");
  scratch.put("src/.git/hooks/x", "needle\n");
  symlinkSync(join(scratch.outside, "secret.txt"), join(scratch.workspace, "link.txt"));
  symlinkSync(scratch.outside, join(scratch.workspace, "link"));
  return scratch;
}

const ALL = [
  ".hidden:1: needle",
  "a.ts:2: needle here",
  "src/b.ts:2: needle(1)",
  "src/b.ts:3: x needle",
  "src/deep/c.md:1: a needle in the hay",
];

needs("bwrap", "prlimit")("search_files", () => {
  it.each<[string, (line: string) => string]>([
    ["JavaScript", (line) => `  "${line}\\n" +`],
    ["a comment", (line) => `// ${line}`],
    ["Python", (line) => `    b'${line}\\n'`],
    ["short lines", (line) => line.replace(/.{32}/g, "$&\n")],
  ])("shows no line of a private key in %s", async (_, written) => {
    using scratch = openScratch();
    const key = ["-----BEGIN PRIVATE KEY-----", ...KEY_LINES, "-----END PRIVATE KEY-----"];
    scratch.put("key", `one\n${key.map(written).join("\n")}\nanOrdinaryLongIdentifier\n`);
    const text = textOf(await search(scratch, { query: "[A-Za-z0-9+/]{20}", regex: true }));
    for (const line of KEY_LINES) expect(text).not.toContain(line.slice(0, 24));
    expect(text).toContain("anOrdinaryLongIdentifier");
  });

  it("shows no line of a private key, and any other line of Base64", async () => {
    using scratch = openScratch();
    const key = (kind: string) => [`-----BEGIN ${kind}-----`, ...KEY_LINES, `-----END ${kind}-----`, ""].join("\n");
    scratch.put("key", key("PRIVATE KEY"));
    scratch.put("certificate", key("CERTIFICATE"));
    for (const more of [
      { query: "^[A-Za-z0-9+/=]+$", regex: true },
      { query: "MII", contextLines: 5 },
    ]) {
      const used = await search(scratch, more);
      const lines = textOf(used).split("\n");
      for (const line of KEY_LINES) {
        expect(lines.filter((one) => one.includes(line)).map((one) => one.slice(0, 4))).toEqual(["cert"]);
        expect(JSON.stringify(used.result).split(line)).toHaveLength(3);
      }
    }
  });

  it.each<[object, string[]]>([
    [{}, ALL],
    [{ path: "." }, ALL],
    [{ path: "src" }, ALL.slice(2)],
    [{ path: "src/deep" }, ALL.slice(4)],
    [{ path: "a.ts" }, ["a.ts:2: needle here"]],
    [
      { caseSensitive: false, path: "src/b.ts" },
      ["src/b.ts:1: NEEDLE", "src/b.ts:2: needle(1)", "src/b.ts:3: x needle"],
    ],
    [{ query: "needle(" }, ["src/b.ts:2: needle(1)"]],
    [{ query: "^needle.*\\)$", regex: true }, ["src/b.ts:2: needle(1)"]],
    [{ query: "no such text" }, ["[no match]"]],
    [{ includePattern: "*.ts" }, ALL.slice(1, 4)],
    [{ includePattern: "*.{md,ts}" }, ALL.slice(1)],
    [{ includePattern: "src/*.ts" }, ALL.slice(2, 4)],
    [{ includePattern: "src/" }, ALL.slice(2)],
    [{ includePattern: "deep/**", path: "src" }, ALL.slice(4)],
    [{ excludePattern: "*.ts" }, [ALL[0] ?? "", ALL[4] ?? ""]],
    [{ excludePattern: "src" }, ALL.slice(0, 2)],
    [{ includePattern: "*.ts", excludePattern: "b.*" }, ["a.ts:2: needle here"]],
    [{ includePattern: ".git/**" }, ["[no match]"]],
    [{ includePattern: "", excludePattern: "" }, ALL],
    [{ path: "a.ts", contextLines: 1 }, ["a.ts-1- one", "a.ts:2: needle here", "a.ts-3- three"]],
  ])("%j", async (input, expected) => {
    using scratch = openTree();
    expect(await linesOf(scratch, input)).toEqual(expected);
  });

  it("tells the same as data", async () => {
    using scratch = openTree();
    const { result } = await search(scratch, { path: "src/deep" });
    expect(result).toMatchObject({
      structured: {
        lines: [{ path: "src/deep/c.md", line: 1, kind: "match", text: "a needle in the hay" }],
        matches: 1,
        truncated: false,
      },
    });
  });

  it("touches the whole tree and the .gitignore files above it, or the one file", async () => {
    using scratch = openTree();
    scratch.put(".gitignore", "*.md\n");
    expect(touchesOf(await search(scratch, { path: "src" }), scratch.workspace)).toEqual([
      "read src tree",
      "read .gitignore",
    ]);
    expect(touchesOf(await search(scratch, { path: "src/b.ts" }), scratch.workspace)).toEqual(["read src/b.ts"]);
  });

  it.each([
    [{ limit: 5 }, false, 5],
    [{ limit: 4 }, true, 4],
    [{ limit: 1, path: "src/b.ts" }, true, 1],
    [{ limitBytes: 1024 }, false, 5],
  ])("%j is cut: %j", async (input, truncated, matches) => {
    using scratch = openTree();
    const { result } = await search(scratch, input);
    expect(result).toMatchObject({ structured: { truncated, matches } });
  });

  it.each([
    [{ query: "" }, "INVALID_ARGUMENTS", "`query`"],
    [{ query: "a\nb" }, "INVALID_ARGUMENTS", "lines are searched one by one"],
    [{ query: "a\0b" }, "INVALID_ARGUMENTS", "NUL"],
    [{ query: "\ud800" }, "INVALID_ARGUMENTS", "well-formed"],
    [{ includePattern: "!*.ts" }, "INVALID_ARGUMENTS", "use `excludePattern`"],
    [{ limit: 0 }, "INVALID_ARGUMENTS", "at least 1"],
    [{ limit: 2001 }, "INVALID_ARGUMENTS", "at most 2000"],
    [{ contextLines: 21 }, "INVALID_ARGUMENTS", "at most 20"],
    [{ timeoutMs: 25_001 }, "INVALID_ARGUMENTS", "at most 25000"],
    [{ query: "(", regex: true }, "INVALID_PATTERN", "`query` is no regular expression: unclosed group"],
    [{ query: "(?=x)", regex: true }, "INVALID_PATTERN", "look-ahead"],
    [{ query: "(?P<n>x)\\k<n>", regex: true }, "INVALID_PATTERN", "`query` is no regular expression"],
    [{ query: "a\\nb", regex: true }, "INVALID_PATTERN", 'the literal "\\n" is not allowed'],
    [{ query: "(\\w{1000}){1000}", regex: true }, "INVALID_PATTERN", "size limit"],
    [{ includePattern: "[a" }, "INVALID_PATTERN", "`includePattern` `[a` can't be read: unclosed character class"],
    [{ excludePattern: "{a" }, "INVALID_PATTERN", "`excludePattern` `{a` can't be read: unclosed alternate"],
    [{ path: "nosuch" }, "FILE_NOT_FOUND", "`nosuch`"],
    [{ path: "/" }, "NOT_DIRECTORY", "whole machine"],
    [{ path: "/proc" }, "NOT_REGULAR_FILE", "proc"],
  ])("%j: %s", async (input, code, message) => {
    using scratch = openTree();
    const used = await search(scratch, input);
    expect(codeOf(used)).toBe(code);
    expect(messageOf(used)).toContain(message);
    expect(JSON.stringify(used.result ?? used.errors)).not.toContain(scratch.workspace);
  });

  it("(A08) takes no value for an option", async () => {
    using scratch = openTree();
    scratch.put("-rf/--pre=touch", "needle -e --files needle\n");
    const said = ["--files", "-e", "--pre=touch x", "--pre", "-f/etc/passwd", "--", "-", "--no-ignore"];
    for (const query of said) {
      const used = await search(scratch, { query, includePattern: "--pre*", excludePattern: "--files" });
      expect(codeOf(used)).toBe("completed");
    }
    expect(await linesOf(scratch, { query: "--files", path: "-rf" })).toEqual([
      "-rf/--pre=touch:1: needle -e --files needle",
    ]);
    expect(await linesOf(scratch, { path: "-rf/--pre=touch" })).toHaveLength(1);
    expect(await linesOf(scratch, { includePattern: "--pre=*" })).toHaveLength(1);
    expect(readdirSync(scratch.workspace)).not.toContain("x");
  });

  it("searches the folder of any name", async () => {
    for (const name of ["a b", "n\nl", "[x]{y}*?", "!x", "#x", "é\u202e", "x ", "\\", "-v", "'\""]) {
      using scratch = openScratch();
      scratch.put(`${name}/in/f.txt`, "needle\n");
      scratch.put("other/f.txt", "needle\n");
      const { result } = await search(scratch, { path: name, includePattern: "in/*.txt" });
      expect(result).toMatchObject({ structured: { matches: 1, lines: [{ path: `${name}/in/f.txt` }] } });
    }
  });
});

needs("bwrap", "prlimit")("what search_files passes over", () => {
  it("is what .gitignore files leave out, and not what other lists do", async () => {
    using scratch = openTree();
    scratch.put(".gitignore", "*.md\n");
    scratch.put("src/.gitignore", "b.ts\n");
    scratch.put(".ignore", "a.ts\n");
    scratch.put(".rgignore", "a.ts\n");
    scratch.put(".git/info/exclude", "a.ts\n");
    expect(await linesOf(scratch)).toEqual([".hidden:1: needle", "a.ts:2: needle here"]);
    expect(await linesOf(scratch, { path: "src" })).toEqual(["[no match]"]);
    scratch.put("src/.gitignore", "!*.md\n");
    expect(await linesOf(scratch, { path: "src/deep" })).toEqual(["src/deep/c.md:1: a needle in the hay"]);
    expect(await linesOf(scratch, { path: "src/b.ts" })).toHaveLength(2);
  });

  it("is what the rules hide, whatever the call includes", async () => {
    using scratch = openTree();
    const { workspace } = scratch;
    for (const path of ["src/.env", "keys/a/b.txt", "keys.txt", "é.pem", "src/n\nl.pem"]) scratch.put(path, "needle\n");
    const hide = [`${workspace}/**/.env`, `${workspace}/keys/**`, `${workspace}/**/*.pem`];
    const shown = [".hidden", "a.ts", "keys.txt", "src/b.ts", "src/b.ts", "src/deep/c.md"];
    for (const input of [{}, { includePattern: "*" }, { includePattern: "**" }, { path: "." }, { limit: 6 }]) {
      const lines = await linesOf(scratch, input, hide);
      expect(lines.map((line) => line.replace(/:.*/, ""))).toEqual(shown);
    }
    expect(await linesOf(scratch, { includePattern: ".env" }, hide)).toEqual(["[no match]"]);
    expect(await linesOf(scratch, { path: "src", includePattern: "*.pem" }, hide)).toEqual(["[no match]"]);
  });

  it("does not count: what is hidden brings no search to its limit, nor to its notice", async () => {
    using scratch = openScratch();
    for (let i = 0; i < 50; i++) scratch.put(`secret/${i}.txt`, "needle\n".repeat(50));
    scratch.put("a.txt", "needle\n");
    scratch.put("secret\nname/x.txt", "needle\n");
    const hide = [`${scratch.workspace}/secret/**`, `${scratch.workspace}/secret\nname`];
    const { result } = await search(scratch, { limit: 1, limitBytes: 1024 }, { hide });
    expect(result).toMatchObject({
      content: [{ text: "a.txt:1: needle" }],
      structured: { matches: 1, truncated: false },
    });
  });

  it("is hidden also by a name that is no text", async () => {
    using scratch = openScratch();
    for (const name of [
      [0x61, 0xff, 0x2e, 0x70, 0x65, 0x6d],
      [0x62, 0xff],
    ]) {
      writeFileSync(Buffer.concat([Buffer.from(`${scratch.workspace}/`), Buffer.from(name)]), "needle\n");
    }
    const { result } = await search(scratch, {}, { hide: [`${scratch.workspace}/*.pem`, `${scratch.workspace}/c?`] });
    expect(result).toMatchObject({ structured: { lines: [{ path: "b\ufffd" }] } });
    const { result: none } = await search(
      scratch,
      {},
      { hide: [`${scratch.workspace}/?\ufffd`, `${scratch.workspace}/*.pem`] },
    );
    expect(none).toMatchObject({ structured: { matches: 0 } });
  });

  it("is not told by a .gitignore that is hidden itself", async () => {
    using scratch = openTree();
    scratch.put("src/.gitignore", "b.ts\n");
    const hide = [`${scratch.workspace}/src/.gitignore`];
    expect(await linesOf(scratch, { path: "src" }, hide)).toEqual(ALL.slice(2));
  });

  it("is links, pipes and binary files (A16, A17)", async () => {
    using scratch = openTree();
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(scratch.workspace, "pipe")]);
    scratch.put("binary", "needle\0needle\n");
    scratch.put("late-binary", `needle\n${"x\n".repeat(100_000)}\0needle\n`);
    expect(await linesOf(scratch)).toEqual([...ALL.slice(0, 2), "late-binary:1: needle", ...ALL.slice(2)]);
    expect(await linesOf(scratch, { query: SENTINEL })).toEqual(["[no match]"]);
  });

  it.skipIf(process.getuid?.() === 0)("and could not be read is told of", async () => {
    using scratch = openTree();
    chmodSync(join(scratch.workspace, "a.ts"), 0);
    expect(await linesOf(scratch)).toContain("[left out: some files or folders that could not be read]");
  });
});

needs("bwrap", "prlimit")("search_files and hostile files", () => {
  it("loses no byte of lines and names that are no text", async () => {
    using scratch = openScratch();
    const name = Buffer.from([0x61, 0xff, 0x62]);
    const text = Buffer.concat([Buffer.from("needle "), Buffer.from([0xfe, 0x0d, 0x0a])]);
    writeFileSync(Buffer.concat([Buffer.from(`${scratch.workspace}/`), name]), text);
    const { result } = await search(scratch, {});
    const [line] =
      (result?.kind === "completed" && (result.structured?.["lines"] as { pathBytes: string; bytes: string }[])) || [];
    expect(line).toMatchObject({ path: "a\ufffdb", text: "needle \ufffd" });
    expect(Buffer.from(line?.pathBytes ?? "", "base64")).toEqual(name); // and no folder of this machine
    expect(Buffer.from(line?.bytes ?? "", "base64")).toEqual(text.subarray(0, -2));
  });

  it.each([
    ["a known value", SECRET, "[REDACTED:S]"],
    ["what looks like one", `ghp_${"aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1b2C"}`, "[REDACTED:github-token]"],
  ])("shows %s as bytes no more than as text", async (_, secret, marker) => {
    using scratch = openScratch();
    scratch.put("a.ini", Buffer.from(`needle f\xfcr ${secret} !\n`, "latin1"));
    const { result } = await search(scratch, {});
    const [line] = (result?.kind === "completed" && (result.structured?.["lines"] as { bytes: string }[])) || [];
    expect(Buffer.from(line?.bytes ?? "", "base64").toString("latin1")).toBe(`needle f\xfcr ${marker} !`);
  });

  it("can't have one line taken for another", async () => {
    using scratch = openScratch();
    scratch.put("a\n.env:1: needle forged", "needle\n");
    expect(await linesOf(scratch)).toEqual(["a\\u{a}.env:1: needle forged:1: needle"]);
  });

  it("finds its way through much output with little memory (A20, A31)", async () => {
    using scratch = openScratch();
    for (let i = 0; i < 20; i++) scratch.put(`${i}.txt`, "needle in a line of some length\n".repeat(100_000));
    const before = process.memoryUsage.rss();
    const { result } = await search(scratch, { limit: 2000, limitBytes: 1024 * 1024 });
    expect(result).toMatchObject({ structured: { matches: 2000, cut: "matches" } });
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
  });

  it("tells where a match is in a line that is too long to be looked at", async () => {
    using scratch = openScratch();
    scratch.put("min.js", `\n${"x".repeat(5 * 1024 * 1024)}needle\nneedle\n`);
    expect(await linesOf(scratch)).toEqual(["min.js:2: …", "min.js:3: needle"]);
  });
});

needs("bwrap", "prlimit")("a search that", () => {
  const rgProcesses = (root: string) =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(root);
      } catch {
        return false;
      }
    });
  const untilNone = async (root: string) => {
    while (rgProcesses(root).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  /** ripgrep is too fast to be stopped on purpose, so a program takes its place that says a match and never ends. */
  const openSlow = (clock: Clock = systemClock) => {
    const scratch = openScratch();
    scratch.put("a.txt", "needle\n");
    const path = { text: join(scratch.workspace, "a.txt") };
    const data = { path, lines: { text: "needle" }, line_number: 1, submatches: [] };
    const record = JSON.stringify({ type: "match", data });
    const real = realSandbox(scratch.workspace);
    const script = `echo '${record}'; setsid sleep 1000 & (sleep 1000 &); sleep 1000 # ${scratch.workspace}`;
    const sandbox: Sandbox = {
      ...real,
      start: ({ mounts }, signal) => real.start(scripted(script, mounts.slice(1)), signal),
    };
    return Object.assign(scratch, { tool: tool(scratch, clock, sandbox) });
  };
  const untilSome = async (root: string) => {
    while (rgProcesses(root).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  it("is cancelled ends, with all its processes and descriptors (A32)", async () => {
    using scratch = openSlow();
    const before = openDescriptors();
    const stop = new AbortController();
    const used = useTool(scratch.tool, { query: "needle" }, { signal: stop.signal });
    await untilSome(scratch.workspace);
    stop.abort();
    expect((await used).result).toEqual({ kind: "stopped" });
    await untilNone(scratch.workspace);
    expect(openDescriptors()).toBe(before);
  });

  it("runs out of time answers with what it has", async () => {
    const clock = handClock();
    using scratch = openSlow(clock);
    const used = useTool(scratch.tool, { query: "needle", timeoutMs: 100 });
    await untilSome(scratch.workspace);
    clock.move(99);
    expect(rgProcesses(scratch.workspace)).not.toEqual([]);
    clock.move(1);
    expect((await used).result).toMatchObject({ structured: { truncated: true, cut: "time" } });
    await untilNone(scratch.workspace);
    expect(clock.waiting()).toBe(0);
  });

  it("has found enough leaves nothing behind", async () => {
    using scratch = openScratch();
    for (let i = 0; i < 50; i++) scratch.put(`${i}.txt`, "needle\n".repeat(10_000));
    const before = openDescriptors();
    expect((await search(scratch, { limit: 1 })).result).toMatchObject({ structured: { cut: "matches" } });
    await untilNone(scratch.workspace);
    expect(openDescriptors()).toBe(before);
  });

  it.each(["dir", "dir/inner"])("was judged before %s became a link fails with CONFLICT (A16)", async (swapped) => {
    using scratch = openScratch();
    scratch.put("dir/inner/a.txt", "needle\n");
    const used = await search(
      scratch,
      { path: "dir/inner" },
      {
        between: () => {
          renameSync(join(scratch.workspace, swapped), join(scratch.workspace, "moved"));
          symlinkSync(scratch.outside, join(scratch.workspace, swapped));
        },
      },
    );
    expect(codeOf(used)).toBe("CONFLICT");
  });

  it("was judged as one of a file searches no folder", async () => {
    using scratch = openScratch();
    scratch.put("a", "needle\n");
    const between = () => {
      renameSync(join(scratch.workspace, "a"), join(scratch.workspace, "b"));
      mkdirSync(join(scratch.workspace, "a"));
      scratch.put("a/x", "needle");
    };
    expect(codeOf(await search(scratch, { path: "a" }, { between }))).toBe("CONFLICT");
  });
});

describe("without its programs, search_files", () => {
  it("is refused where bubblewrap is not on the PATH, and says what to do", async () => {
    using scratch = openTree();
    const sandbox = openBubblewrap({ searchPath: ["/nosuch"], workspace: scratch.workspace });
    const { refusal } = await useTool(tool(scratch, systemClock, sandbox), { query: "needle" });
    expect(refusal).toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      stage: "plan",
      hint: expect.stringContaining("bubblewrap"),
    });
  });

  it("is refused where ripgrep is not installed, or has gone since", async () => {
    using scratch = openTree();
    const present: Sandbox = { ...realSandbox(), missing: () => null };
    const answers: (string | null)[] = ["/usr/bin/true", null];
    const ports = { files: scratch.files, sandbox: present, clock: systemClock, redactor: redactorFor() };
    const gone = searchFilesTool({ ...ports, findRipgrep: async () => answers.shift() ?? null });
    expect(codeOf(await useTool(gone, { query: "needle" }))).toBe("SANDBOX_UNAVAILABLE");
    const absent = searchFilesTool({ ...ports, findRipgrep: async () => null });
    expect((await useTool(absent, { query: "needle" })).refusal).toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      hint: expect.stringContaining("npm install"),
    });
  });
});
