import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addAlwaysRule, alwaysFile, alwaysText, readAlwaysRules } from "../../src/config/always-rules.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openTrust, type TrustStore } from "../../src/config/trust.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { openScratch, type Scratch } from "./scratch.ts";

const RULE: RuleSource = { id: "always-1", effect: "allow", tools: ["write_file"], touch: { write: ["./a.txt"] } };
const OTHER: RuleSource = { ...RULE, id: "always-2", effect: "deny", touch: { write: ["./b\n\u202e'\".txt"] } };

let scratch: Scratch;
let stateDir: string;
let config: string;
let trust: TrustStore;
beforeEach(() => {
  scratch = openScratch();
  config = scratch.put(
    "toolgate.yaml",
    'rules: [{ id: ask, effect: ask, otherwise: true, touch: { write: ["./**"] } }]\n',
  );
  stateDir = join(scratch.folder, ".toolgate");
  trust = openTrust({ xdgState: join(scratch.folder, "state") });
});
afterEach(() => scratch[Symbol.dispose]());

const add = (rule: RuleSource) => addAlwaysRule(stateDir, rule, trust, 0);

function judged(path: string): string | null {
  const loaded = loadConfig({ path: config });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { rules, workspace } = loaded.config;
  return rules.judge({ kind: "write", path: join(workspace, path) }, factsFor("write_file")).ruleId;
}

describe("rules that answers of always have made", () => {
  it("are in force with those of the config", () => {
    expect(judged("a.txt")).toBe("ask");
    expect(add(RULE)).toEqual({ ok: true });
    expect(judged("a.txt")).toBe("always-1");
    expect(judged("b.txt")).toBe("ask");
    expect(add(OTHER)).toEqual({ ok: true });
    expect(judged("a.txt")).toBe("always-1");
    expect(judged("b\n\u202e'\".txt")).toBe("always-2");
  });

  it("stand in a file of this user alone, which was accepted as it is", () => {
    add(RULE);
    add(OTHER);
    const path = alwaysFile(stateDir);
    const text = readFileSync(path, "utf8");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(text).toContain(alwaysText(RULE));
    expect(trust.isTrusted(path, text)).toBe(true);
    expect(trust.isTrusted(path, `${text}- {}\n`)).toBe(false);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it("are added once, and never two of one name", () => {
    add(RULE);
    expect(add(RULE)).toEqual({ ok: true });
    expect(readAlwaysRules(stateDir)?.rules).toHaveLength(1);
    expect(add({ ...RULE, effect: "deny" })).toMatchObject({ ok: false, message: expect.stringContaining("always-1") });
    expect(loadConfig({ path: config }).ok).toBe(true);
  });

  it("are none where there is no file", () => expect(readAlwaysRules(stateDir)).toBeNull());

  it("are told of by the config, which does not trust them by itself", () => {
    add(RULE);
    const loaded = loadConfig({ path: config });
    expect(loaded.ok && loaded.config.always).toEqual({
      path: alwaysFile(stateDir),
      text: readFileSync(alwaysFile(stateDir), "utf8"),
    });
    expect(loaded.ok && loaded.config.text).not.toContain("always-1");
  });

  it.each<[string, string, string]>([
    ["that are no YAML", "- {", "always.yaml:1"],
    ["that are no rules", "- { id: x }\n", "always.yaml:1"],
    ["with an id that is taken", "- { id: ask, effect: deny }\n", "always.yaml:1"],
    ["that take the gate's own ids", "- { id: 'builtin:x', effect: deny }\n", "always.yaml:1"],
  ])("%s keep the config from loading", (_, text, place) => {
    mkdirSync(stateDir);
    writeFileSync(alwaysFile(stateDir), text);
    const loaded = loadConfig({ path: config });
    expect(loaded.ok ? "ok" : loaded.problems.map(({ file, line }) => `${file}:${line}`)[0]).toBe(place);
  });

  it.each<[string, () => void, string]>([
    ["was changed by somebody", () => writeFileSync(alwaysFile(stateDir), "[]\n"), "not accepted"],
    ["others may write", () => chmodSync(alwaysFile(stateDir), 0o666), "others may write"],
  ])("are not added to a file that %s", (_, harm, message) => {
    add(RULE);
    harm();
    const before = readFileSync(alwaysFile(stateDir), "utf8");
    const added = add(OTHER);
    expect(added.ok ? "" : added.message).toContain(message);
    expect(readFileSync(alwaysFile(stateDir), "utf8")).toBe(before);
  });

  it("are not added to a file that could not be read with them", () => {
    add(RULE);
    const path = alwaysFile(stateDir);
    const text = readFileSync(path, "utf8");
    const long = `${text}#${"x".repeat(1024 * 1024 - text.length - 10)}\n`;
    writeFileSync(path, long);
    trust.trust(path, long, 0);
    expect(add(OTHER)).toMatchObject({ ok: false, message: expect.stringContaining("no room") });
    expect([readFileSync(path, "utf8") === long, loadConfig({ path: config }).ok]).toEqual([true, true]);
  });

  it("are not added where nothing can be accepted or written", () => {
    const nobody = openTrust({ xdgState: null });
    expect(addAlwaysRule(stateDir, RULE, nobody, 0)).toMatchObject({ ok: false });
    expect(existsSync(alwaysFile(stateDir))).toBe(false);
    symlinkSync("/dev/null/x", stateDir);
    expect(add(RULE)).toMatchObject({ ok: false, message: expect.stringContaining("always.yaml") });
  });
});
