import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";
import { acceptConfig, readSettings, type SettingsFlags, writeDefaultConfig } from "../../src/wiring/settings.ts";

let cwd: string;
let flags: SettingsFlags;

const home = process.cwd();

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-settings-")));
  process.chdir(cwd);
  flags = { cwd, environment: readEnvironment({ HOME: join(cwd, "home") }) };
});
afterEach(() => {
  process.chdir(home);
  rmSync(cwd, { recursive: true, force: true });
});

const put = (path: string, text = "rules: []\n") => writeFileSync(join(cwd, path), text);

describe("the settings that a command line means", () => {
  it("are missing where there is no config", () => expect(readSettings(flags)).toEqual({ kind: "missing" }));

  it("are untrusted where one lies there, also in a folder above", () => {
    put("toolgate.yaml");
    mkdirSync(join(cwd, "deep", "er"), { recursive: true });
    expect(readSettings(flags)).toEqual({
      kind: "untrusted",
      path: "toolgate.yaml",
      text: "rules: []\n",
      is: "config",
    });
    process.chdir("deep/er");
    expect(readSettings({ ...flags, cwd: process.cwd() })).toMatchObject({ path: "../../toolgate.yaml" });
  });

  it("are ready where somebody names the config", () => {
    put("mine.yaml");
    expect(readSettings({ ...flags, configFlag: join(cwd, "mine.yaml") })).toMatchObject({ kind: "ready" });
  });

  it("are untrusted where somebody only asks what naming it would find", () => {
    put("mine.yaml");
    const found = { ...flags, configFlag: join(cwd, "mine.yaml"), naming: "finds" } as const;
    expect(readSettings(found)).toMatchObject({ kind: "untrusted", path: "mine.yaml" });
  });

  it("are ready once accepted, until the text changes by a letter", () => {
    put("toolgate.yaml");
    const path = join(cwd, "toolgate.yaml");
    expect(acceptConfig({ path, text: "rules: []\n" }, flags.environment, 0)).toEqual({ ok: true });
    expect(readSettings(flags)).toMatchObject({ kind: "ready", config: { workspace: cwd } });
    appendFileSync(path, "#");
    expect(readSettings(flags)).toMatchObject({ kind: "untrusted" });
  });

  it("are invalid with every problem, trusted or not", () => {
    put("toolgate.yaml", "rules: []\nrulez: 1\n");
    expect(readSettings(flags)).toMatchObject({
      kind: "invalid",
      problems: [{ file: "toolgate.yaml", line: 2, column: 1 }],
    });
  });

  it("may be about another workspace", () => {
    put("toolgate.yaml");
    mkdirSync(join(cwd, "other"));
    const settings = readSettings({
      ...flags,
      configFlag: join(cwd, "toolgate.yaml"),
      workspaceFlag: join(cwd, "other"),
    });
    expect(settings).toMatchObject({
      kind: "ready",
      config: { workspace: join(cwd, "other"), stateDir: join(cwd, ".toolgate") },
    });
  });
});

describe("the default config", () => {
  it("is written once, and trusted", () => {
    expect(writeDefaultConfig(flags, 0)).toEqual({ kind: "written", path: "toolgate.yaml" });
    expect(readSettings(flags)).toMatchObject({ kind: "ready" });
    const text = readFileSync(join(cwd, "toolgate.yaml"), "utf8");
    expect(writeDefaultConfig(flags, 0)).toMatchObject({
      kind: "failed",
      message: "`toolgate.yaml` is there already and was left as it is",
    });
    expect(readFileSync(join(cwd, "toolgate.yaml"), "utf8")).toBe(text);
  });

  it("is written where the flag says", () => {
    expect(writeDefaultConfig({ ...flags, configFlag: join(cwd, "mine.yaml") }, 0)).toEqual({
      kind: "written",
      path: "mine.yaml",
    });
    expect(writeDefaultConfig({ ...flags, configFlag: join(cwd, "no", "mine.yaml") }, 0)).toMatchObject({
      kind: "failed",
      message: "`no/mine.yaml` can't be written (ENOENT)",
    });
  });

  it("says so where it can't be trusted", () => {
    const environment = readEnvironment({ HOME: "/dev/null/nowhere" });
    expect(writeDefaultConfig({ cwd, environment }, 0)).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("the trust file"),
    });
  });
});
