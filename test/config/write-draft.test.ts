import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addAlwaysRule, alwaysFile } from "../../src/config/always-rules.ts";
import { saveSettings } from "../../src/config/save-settings.ts";
import type { TrustStore } from "../../src/config/trust.ts";
import { writeDraft } from "../../src/config/write-draft.ts";
import { openScratch } from "./scratch.ts";

/** Names that a draft could be expected to have. */
const NAMES = [".new", ".tmp", ".draft", `.${process.pid}`, `.${process.pid}.new`, "~", ".0000000000000000.new"];

describe("a draft", () => {
  it("is all of the text, under a name that nobody knows beforehand", () => {
    using scratch = openScratch();
    const text = "é".repeat(100_000);
    const drafts = [1, 2, 3].map(() => writeDraft(join(scratch.folder, "a"), text, 0o600));
    expect(new Set(drafts).size).toBe(3);
    for (const draft of drafts) {
      expect(readFileSync(draft, "utf8")).toBe(text);
      expect(statSync(draft).mode & 0o777).toBe(0o600);
    }
    expect(existsSync(join(scratch.folder, "a"))).toBe(false);
  });

  it("is not written where there is no folder, or through one that is none", () => {
    using scratch = openScratch();
    scratch.put("file", "x");
    for (const path of ["gone/a", "file/a"]) expect(() => writeDraft(join(scratch.folder, path), "t", 0o600)).toThrow();
  });
});

describe("settings are saved", () => {
  const TRUSTING = { isTrusted: () => true, trust: () => ({ ok: true }) } as unknown as TrustStore;
  const RULE = { id: "a", effect: "allow", touch: { read: ["./a"] } } as const;

  it.each<[string, (folder: string) => string]>([
    [
      "a config",
      (folder) => {
        expect(saveSettings(join(folder, "toolgate.yaml"), "rules: []\n").ok).toBe(true);
        return "toolgate.yaml";
      },
    ],
    [
      "an always",
      (folder) => {
        expect(addAlwaysRule(folder, RULE, TRUSTING, 0).ok).toBe(true);
        return "always.yaml";
      },
    ],
  ])("and links beside them are not followed: %s", (_, save) => {
    using scratch = openScratch();
    const victim = scratch.put("victim", "mine");
    const folder = join(scratch.folder, "state");
    mkdirSync(folder);
    for (const name of ["toolgate.yaml", "always.yaml"])
      for (const ending of NAMES) symlinkSync(victim, join(folder, `${name}${ending}`));
    const before = readdirSync(folder).length;
    const saved = save(folder);
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(lstatSync(join(folder, saved)).isFile()).toBe(true);
    expect(readdirSync(folder)).toHaveLength(before + 1); // and no draft is left
  });

  it("in the place of a link, and not through it", () => {
    using scratch = openScratch();
    const victim = scratch.put("victim", "mine");
    const path = join(scratch.folder, "toolgate.yaml");
    symlinkSync(victim, path);
    expect(saveSettings(path, "rules: []\n").ok).toBe(true);
    expect([readFileSync(victim, "utf8"), readFileSync(path, "utf8")]).toEqual(["mine", "rules: []\n"]);
  });

  it("an always in the place of a link as well", () => {
    using scratch = openScratch();
    const victim = scratch.put("victim", "# mine\n");
    symlinkSync(victim, alwaysFile(scratch.folder));
    addAlwaysRule(scratch.folder, RULE, TRUSTING, 0);
    expect(readFileSync(victim, "utf8")).toBe("# mine\n");
    expect(lstatSync(alwaysFile(scratch.folder)).isFile()).toBe(true);
  });
});
