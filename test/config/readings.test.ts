import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { openReadings } from "../../src/config/readings.ts";

describe("what settings texts said", () => {
  let xdgState = "";
  const folder = () => join(xdgState, "toolgate/trusted-configs");
  const onlyFile = () => join(folder(), readdirSync(folder())[0] as string);
  beforeEach(() => {
    xdgState = mkdtempSync(join(tmpdir(), "toolgate-readings-"));
  });
  afterEach(() => rmSync(xdgState, { recursive: true }));

  it("is known of the very text, to the version that read it", () => {
    openReadings({ xdgState }, "1").keep("a: 1", { a: 1 });
    expect(openReadings({ xdgState }, "1").of("a: 1")).toEqual({ a: 1 });
    expect(openReadings({ xdgState }, "1").of("a: 1 ")).toBeUndefined();
    expect(openReadings({ xdgState }, "2").of("a: 1")).toBeUndefined();
  });

  it("a text that says nothing is known too", () => {
    openReadings({ xdgState }, "1").keep("", null);
    expect(openReadings({ xdgState }, "1").of("")).toBeNull();
  });

  it.each([
    ["what others may write", () => chmodSync(onlyFile(), 0o622)],
    ["what was cut short", () => writeFileSync(onlyFile(), '{"value":{"a"')],
    ["what is nothing at all", () => writeFileSync(onlyFile(), "null")],
  ])("%s is not believed", (_, damage) => {
    const readings = openReadings({ xdgState }, "1");
    readings.keep("a: 1", { a: 1 });
    damage();
    expect(readings.of("a: 1")).toBeUndefined();
  });

  it("what lies behind a link, under a name that tools may write to, is not believed", () => {
    openReadings({ xdgState }, "1").keep("a: 1", { a: 1 });
    renameSync(folder(), join(xdgState, "elsewhere"));
    symlinkSync("../elsewhere", folder());
    expect(openReadings({ xdgState }, "1").of("a: 1")).toBeUndefined();
    openReadings({ xdgState }, "1").keep("b: 1", { b: 1 });
    expect(readdirSync(join(xdgState, "elsewhere"))).toHaveLength(1);
  });

  it("a user without a folder has none", () => {
    const readings = openReadings({ xdgState: null }, "1");
    readings.keep("a: 1", { a: 1 });
    expect(readings.of("a: 1")).toBeUndefined();
  });

  it("a folder that can't be written is no matter", () => {
    writeFileSync(join(xdgState, "toolgate"), "");
    openReadings({ xdgState }, "1").keep("a: 1", { a: 1 });
    expect(openReadings({ xdgState }, "1").of("a: 1")).toBeUndefined();
  });

  it("they are not kept without end", () => {
    const readings = openReadings({ xdgState }, "1");
    for (let n = 0; n <= 200; n++) readings.keep(`a: ${n}`, { a: n });
    expect(readdirSync(folder())).toHaveLength(1);
    expect(readings.of("a: 200")).toEqual({ a: 200 });
  });

  it("problems of a known text have their places", () => {
    const path = join(xdgState, "toolgate.yaml");
    const text = "# first\nrules:\n  - id: a\n    effect: maybe\n";
    writeFileSync(path, text);
    const readings = openReadings({ xdgState }, "1");
    const fresh = loadConfig({ path });
    readings.keep(text, { rules: [{ id: "a", effect: "maybe" }] });
    expect(fresh).toMatchObject({ ok: false, problems: [{ line: 4 }] });
    expect(loadConfig({ path, readings })).toEqual(fresh);
  });
});
