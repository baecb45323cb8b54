import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Pins } from "../../../src/ports/pins.ts";
import { pinFiles } from "../../../src/store/pins/pin-files.ts";
import { openScratch } from "../../config/scratch.ts";
import { startProgram } from "../../support/started-program.ts";
import { hastyClock } from "../hasty-clock.ts";

const PINS = { echo: { digest: "d", definition: { name: "echo" }, flags: [], seenAt: "t" } } as unknown as Pins;
const planted = (tools: object = PINS) => JSON.stringify({ v: 1, tools });

describe("pins", () => {
  it("are read as they were written, by nobody else", () => {
    using scratch = openScratch();
    const pins = pinFiles(scratch.folder, hastyClock());
    expect(pins.read("up")).toBe(null);
    pins.write("up", PINS);
    expect(pins.read("up")).toEqual(PINS);
    expect(statSync(join(scratch.folder, "mcp/up.json")).mode & 0o777).toBe(0o600);
    for (const name of ["../up", "Up", "", "up/../x", "a".repeat(33)]) expect(() => pins.read(name)).toThrow();
  });

  it.each<[string, (folder: string) => void]>([
    [
      "a file as a repository brings it along",
      (mcp) => {
        writeFileSync(join(mcp, "up.json"), planted());
        chmodSync(join(mcp, "up.json"), 0o644);
      },
    ],
    [
      "a file that others may write",
      (mcp) => {
        writeFileSync(join(mcp, "up.json"), planted());
        chmodSync(join(mcp, "up.json"), 0o622);
      },
    ],
    [
      "a link to such a file",
      (mcp) => {
        writeFileSync(join(mcp, "there"), planted(), { mode: 0o600 });
        symlinkSync("there", join(mcp, "up.json"));
      },
    ],
    ["a link to nothing", (mcp) => symlinkSync("nothing", join(mcp, "up.json"))],
    ["a folder", (mcp) => mkdirSync(join(mcp, "up.json"))],
    ["something else in it", (mcp) => writeFileSync(join(mcp, "up.json"), "[]", { mode: 0o600 })],
    ["no JSON in it", (mcp) => writeFileSync(join(mcp, "up.json"), "{", { mode: 0o600 })],
  ])("that somebody planted are not believed, and not taken for none: %s", (_, plant) => {
    using scratch = openScratch();
    mkdirSync(join(scratch.folder, "mcp"), { mode: 0o700 });
    plant(join(scratch.folder, "mcp"));
    expect(() => pinFiles(scratch.folder, hastyClock()).read("up")).toThrow();
  });

  it("are neither read nor written through a folder that is a link", () => {
    using scratch = openScratch();
    const other = join(scratch.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "up.json"), planted(), { mode: 0o600 });
    symlinkSync(other, join(scratch.folder, "mcp"));
    const pins = pinFiles(scratch.folder, hastyClock());
    expect(() => pins.read("up")).toThrow();
    expect(() => pins.write("up", {})).toThrow();
    expect(() => pins.alone("up", async () => expect.unreachable())).toThrow();
    expect(readFileSync(join(other, "up.json"), "utf8")).toBe(planted());
  });
});

describe("pins of several processes", () => {
  it("are all kept, and what was first seen by one is not seen first by another", async () => {
    using scratch = openScratch();
    const names = ["a", "b", "c", "d"];
    const start = (name: string) => startProgram("pins-tools.ts", [scratch.folder, name, "15"]);
    await using programs = new AsyncDisposableStack();
    const started = names.map((name) => programs.use(start(name)));
    for (const one of started) expect(await one.line()).toBe("ready");
    for (const one of started) one.tell("go");
    const noted = (await Promise.all(started.map((one) => one.ended()))).flat();
    const rounds = Array.from({ length: 15 }, (_, round) => round);
    const own = names.flatMap((name) => rounds.map((round) => `${name}${round}`));
    const shared = rounds.map((round) => `shared${round}`);
    const all = [...own, ...shared].sort();
    expect(Object.keys(pinFiles(scratch.folder, hastyClock()).read("up") ?? {}).sort()).toEqual(all);
    expect(noted.sort()).toEqual(all);
  });
});
