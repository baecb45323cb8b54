import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { LAUNCH_FDS } from "../../src/sandbox/bubblewrap-arguments.ts";
import { starterFor, starterWords } from "../../src/sandbox/starter.ts";
import { openScratch } from "../files/scratch.ts";

interface Became {
  readonly out: string;
  readonly code: number | null;
  /** What it said on its pipe. */
  readonly said: readonly number[];
}

/** Starts the starter and tells it these parts, one after another as it takes them. */
const became = (...parts: readonly Uint8Array[]): Promise<Became> => becameGiven([], ...parts);

/** The same, of one that is given words behind its name. */
async function becameGiven(argv: readonly string[], ...parts: readonly Uint8Array[]): Promise<Became> {
  using scratch = openScratch();
  const path = join(scratch.workspace, "starter");
  writeFileSync(path, starterFor("x64") as Buffer, { mode: 0o755 });
  const between = Array.from({ length: LAUNCH_FDS.said - 3 }, () => "ignore" as const);
  const stdio = ["ignore", "pipe", "pipe", ...between, "pipe", "pipe"] as const;
  const child = spawn(path, argv, { env: { ONLY: "this" }, stdio: [...stdio] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const pipe = (child.stdio as readonly unknown[])[LAUNCH_FDS.words] as Duplex;
  const said: number[] = [];
  pipe.on("error", () => {});
  const says = (child.stdio as readonly unknown[])[LAUNCH_FDS.said] as Duplex;
  says.on("data", (bytes: Uint8Array) => said.push(...bytes));
  const out: Uint8Array[] = [];
  child.stdout?.on("data", (bytes: Uint8Array) => out.push(bytes));
  child.stderr?.resume();
  for (const part of parts) await new Promise((resolve) => pipe.write(part, resolve));
  pipe.end();
  return { code: await ended, out: Buffer.concat(out).toString(), said };
}

const words = (...argv: readonly [string, ...string[]]): Buffer => starterWords(argv) as Buffer;
const ENOENT = 2;
const BECOMES = [0];

it.runIf(process.arch === "x64" && process.platform === "linux")("becomes the program that it is told", async () => {
  const printed = words("/usr/bin/printf", "<%s>", "a b", "", "ö", "$(x)");
  expect(await became(printed)).toEqual({ code: 0, out: "<a b><><ö><$(x)>", said: BECOMES });
  expect(await became(words("/usr/bin/env"))).toEqual({ code: 0, out: "ONLY=this\n", said: BECOMES });
  const parts = [printed.subarray(0, 3), printed.subarray(3, 11), printed.subarray(11)];
  expect(await became(...parts)).toEqual({ code: 0, out: "<a b><><ö><$(x)>", said: BECOMES });
  const long = "x".repeat(40_000);
  expect(await became(words("/usr/bin/printf", "%s", long))).toEqual({ code: 0, out: long, said: BECOMES });
});

it.runIf(process.arch === "x64" && process.platform === "linux")(
  "hands its pipe on to no program, and says on it why there is none",
  async () => {
    const listed = await became(
      words(
        "/bin/sh",
        "-c",
        `[ -e /proc/self/fd/${LAUNCH_FDS.words} ] || [ -e /proc/self/fd/${LAUNCH_FDS.said} ] || echo closed`,
      ),
    );
    expect(listed).toEqual({ code: 0, out: "closed\n", said: BECOMES });
    expect(await became(words("/nosuch"))).toEqual({ code: 127, out: "", said: [...BECOMES, ENOENT] });
  },
);

it.runIf(process.arch === "x64" && process.platform === "linux")("becomes the program that it is given", async () => {
  const printed = await becameGiven(["/usr/bin/printf", "<%s>", "a b", "", "ö"]);
  expect(printed).toEqual({ code: 0, out: "<a b><><ö>", said: BECOMES });
  expect(await becameGiven(["/usr/bin/env"])).toEqual({ code: 0, out: "ONLY=this\n", said: BECOMES });
  expect(await becameGiven(["/usr/bin/env"], words("/usr/bin/printf", "told"))).toMatchObject({ out: "ONLY=this\n" });
  expect(await becameGiven(["/nosuch", "x"])).toEqual({ code: 127, out: "", said: [...BECOMES, ENOENT] });
});

it.runIf(process.arch === "x64" && process.platform === "linux")("starts nothing of what was broken off", async () => {
  const whole = words("/usr/bin/printf", "%s", "told");
  for (const length of [0, 1, 7, 8, whole.length - 1])
    expect(await became(whole.subarray(0, length))).toEqual({ code: 127, out: "", said: [] });
});

it("is there for processors that it was written for", () => {
  expect(starterFor("x64")?.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(starterFor("arm64")).toBeNull();
});

it("is told only what it can take", () => {
  expect(starterWords(["true"])).toBeNull();
  expect(starterWords(["/bin/true", "a\0b"])).toBeNull();
  const room = 0xc000 - 8 - "/p\0\0".length;
  expect(starterWords(["/p", "x".repeat(room)])).not.toBeNull();
  expect(starterWords(["/p", "x".repeat(room + 1)])).toBeNull();
  const words = (count: number) => starterWords(["/p", ...Array.from({ length: count - 1 }, () => "")]);
  expect(words(2047)).not.toBeNull();
  expect(words(2048)).toBeNull();
});
