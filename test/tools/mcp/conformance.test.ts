import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { PROGRAM_ENVIRONMENT } from "../../support/program-environment.ts";
import { testProgram } from "../../support/test-program.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = testProgram("conformance-client.ts");

/** Those about tools and headers. What is left out, and why, is in docs/design/018-mcp.md. */
const SCENARIOS = [
  ["2025-11-25", "initialize"],
  ["2025-11-25", "tools_call"],
  ["2025-11-25", "sse-retry"],
  ["2026-07-28", "tools_call"],
  ["2026-07-28", "request-metadata"],
  ["2026-07-28", "http-standard-headers"],
  ["2026-07-28", "http-custom-headers"],
  ["2026-07-28", "http-invalid-tool-headers"],
  ["2026-07-28", "json-schema-ref-no-deref"],
] as const;

/** The suite wants a null sent where the tool's schema has no null: the gate refuses that call. */
const NOT_SENT: Readonly<Record<string, readonly string[]>> = { "http-custom-headers": ["sep-2243-client-omit-null"] };

describe("the conformance suite, with the gate as a client", () => {
  it.each(SCENARIOS)("%s %s", { timeout: 120_000 }, async (revision, scenario) => {
    const out = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
    try {
      const command = `${process.execPath} ${CLIENT}`;
      const args = [
        "client",
        "--command",
        command,
        "--scenario",
        scenario,
        "--spec-version",
        revision,
        "-o",
        out,
        "--timeout",
        "110000",
      ];
      const env = { ...PROGRAM_ENVIRONMENT, HOME: out };
      const child = spawn(process.execPath, [SUITE, ...args], { cwd: out, env });
      const [said, told, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise((resolve) => child.once("close", resolve)),
      ]);
      const output = stripVTControlCharacters(`${said}${told}`);
      expect(Number(/Passed: (\d+)\//.exec(output)?.[1]), output).toBeGreaterThan(0);
      const failed = [...output.matchAll(/\[([\w.-]+) *\] FAILURE/g)].map(([, id]) => id);
      expect(failed, output).toEqual(NOT_SENT[scenario] ?? []);
      if (failed.length === 0) expect(code, output).toBe(0);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});
