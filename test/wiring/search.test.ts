import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { RISK_CONFIG } from "../../src/config/risk-config.ts";
import { needs } from "../support/parts.ts";
import { openCli } from "../support/run-cli.ts";
import { asKind, codeOf, openScratchGate } from "../support/scratch-gate.ts";

const RULES = [
  { id: "open", effect: "allow", touch: { read: ["./**"] } },
  { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./keys/**"] } },
  { id: "drafts", effect: "ask", touch: { read: ["./drafts/**"] } },
] as const;

needs("bwrap", "prlimit")("search_files through the gate", () => {
  it("finds what may be read, hides the rest, and is recorded", async () => {
    await using scratch = openScratchGate({ rules: RULES });
    for (const path of ["a.txt", "src/.env", "keys/b.txt", "drafts/c.txt", "src/d.txt"]) scratch.put(path, "needle\n");
    const outcome = await scratch.gate.call({ tool: "search_files", input: { query: "needle" } });
    const { content, containment, callId } = asKind(outcome, "completed");
    expect(content).toEqual([{ type: "text", text: "a.txt:1: needle\nsrc/d.txt:1: needle" }]);
    expect(containment).toBe("sandbox");
    expect(scratch.entries(callId).map(({ kind }) => kind)).toEqual([
      "tool.requested",
      "tool.decided",
      "tool.executed",
    ]);
    const explained = await scratch.gate.explain({ tool: "search_files", input: { query: "needle" } });
    expect(explained.touches).toMatchObject([{ tree: true, hide: ["./**/.env", "./drafts/**", "./keys/**"] }]);
  });

  it.each([
    ["..", "DEFAULT_DENY"],
    ["keys", "RULE_DENY"],
    ["keys/b.txt", "RULE_DENY"],
    ["drafts", "pending"],
    ["/etc", "DEFAULT_DENY"],
    ["link", "DEFAULT_DENY"],
  ])("of %s is %s", async (path, code) => {
    await using scratch = openScratchGate({ rules: RULES });
    for (const file of ["keys/b.txt", "drafts/c.txt"]) scratch.put(file, "needle\n");
    symlinkSync("/etc", join(scratch.workspace, "link"));
    expect(
      codeOf(await scratch.gate.call({ tool: "search_files", input: { query: "x", path } }, { whenAsked: "return" })),
    ).toBe(code);
  });

  it("that is cancelled is cancelled", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "needle\n");
    const stop = new AbortController();
    const called = scratch.gate.call({ tool: "search_files", input: { query: "needle" } }, { signal: stop.signal });
    stop.abort();
    expect(codeOf(await called)).toBe("CANCELLED");
  });

  it("hides the same names from a plain list", async () => {
    await using scratch = openScratchGate({ rules: RULES });
    for (const path of ["a.txt", ".env", "keys/b.txt", "drafts/c.txt"]) scratch.put(path);
    for (const recursive of [false, true]) {
      const outcome = await scratch.gate.call({ tool: "list_directory", input: { path: ".", recursive } });
      expect(asKind(outcome, "completed").content).toEqual([{ type: "text", text: "a.txt" }]);
    }
  });
});

needs("bwrap", "prlimit")("toolgate call search_files", () => {
  it.each([
    ["workspace", DEFAULT_CONFIG],
    ["risk", RISK_CONFIG],
  ])("works under the profile %s, and keeps secrets and state closed", async (_, config) => {
    using cli = openCli(config);
    cli.put("src/a.ts", "const needle = 1;\n");
    cli.put(".env", "needle=1\n");
    cli.put("keys/server.pem", "needle\n");
    mkdirSync(join(cli.workspace, ".toolgate"), { mode: 0o700 });
    const { code, out } = await cli.run(["call", "search_files", '{"query":"needle"}']);
    expect([code, out.trim()]).toEqual([0, "src/a.ts:1: const needle = 1;"]);
    const state = await cli.run(["call", "search_files", '{"query":"tool.requested"}']);
    expect(state.out).not.toContain(".toolgate");
  });
});

describe("toolgate call search_files without bubblewrap on the PATH", () => {
  it("is refused, and says how to get it", async () => {
    using cli = openCli(DEFAULT_CONFIG);
    const { code, err } = await cli.run(["call", "search_files", '{"query":"needle"}'], { env: { PATH: "/nosuch" } });
    expect(code).toBe(3);
    expect(err).toContain("SANDBOX_UNAVAILABLE");
    expect(err).toContain("apt install bubblewrap");
  });
});
