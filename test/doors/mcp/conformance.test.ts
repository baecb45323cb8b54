import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { needs } from "../../support/parts.ts";
import { plainProgram } from "../../support/plain-program.ts";
import { PROGRAM_ENVIRONMENT } from "../../support/program-environment.ts";
import { openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** How many there are in the suite, so that none is left out unseen. */
const SCENARIOS = { "2025-11-25": 33, "2026-07-28": 40 } as const;
const PASSED = { "2025-11-25": 50, "2026-07-28": 100 } as const;
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** Scenarios and checks that the gate has no part in, by revision. Their reasons are in docs/design/018-mcp.md. */
const NOT_OURS: Readonly<Record<(typeof REVISIONS)[number], Readonly<Record<string, readonly string[]>>>> = {
  "2025-11-25": {
    "logging-set-level": ["logging-set-level"],
    "completion-complete": ["completion-complete"],
    "tools-call-with-logging": ["tools-call-with-logging"],
    "tools-call-sampling": ["tools-call-sampling"],
    "tools-call-elicitation": ["tools-call-elicitation"],
    "elicitation-sep1034-defaults": ["elicitation-sep1034-general"],
    "elicitation-sep1330-enums": ["elicitation-sep1330-general"],
    "resources-subscribe": ["resources-subscribe"],
    "resources-unsubscribe": ["resources-unsubscribe"],
  },
  "2026-07-28": {
    "completion-complete": ["completion-complete"],
    "server-stateless": [
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
    ],
  },
};

/** An upstream's own questions are not passed on. What is left of these scenarios is run all the same. */
const ASKS_THROUGH = /^input-required-result-/;

let scratch: ScratchGate;
let server: McpHttpServer;
let url: string;

needs("bwrap", "node")("the conformance suite, with an upstream behind the gate", () => {
  beforeAll(async () => {
    scratch = openScratchGate({
      rules: [{ id: "any", effect: "allow", touch: { tool: ["*"] } }],
      config: { tools: { builtin: [], mcp: { up: { command: "node", args: ["fixture.mjs"], prefix: "" } } } },
    });
    scratch.put("fixture.mjs", plainProgram("conformance-upstream.ts"));
    const caller = {
      actor: "suite",
      roles: ["caller", "approver"],
      session: scratch.gate.session(),
      ask: "client",
    } as const;
    // The suite has no tokens; the guard against other sites is the server's own.
    server = new McpHttpServer(scratch.gate, caller);
    url = await server.listen();
  });

  afterAll(async () => {
    await server.close();
    await scratch[Symbol.asyncDispose]();
  });

  it.each(REVISIONS)("%s", async (revision) => {
    const out = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
    try {
      const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", out];
      const child = spawn(process.execPath, [SUITE, ...args, "--timeout", "110000"], {
        cwd: out,
        env: PROGRAM_ENVIRONMENT,
      });
      const [said, told] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const output = stripVTControlCharacters(`${said}${told}`);
      const results = resultsIn(out);
      expect(results.size, output).toBe(SCENARIOS[revision]);
      let passed = 0;
      for (const [scenario, checks] of results) {
        if (ASKS_THROUGH.test(scenario)) continue;
        const failed = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);
        expect([...new Set(failed)].sort(), `${scenario}\n${output}`).toEqual(NOT_OURS[revision][scenario] ?? []);
        // Nothing passes because nothing was checked; the suite itself looks at no more of this one.
        if (scenario !== "server-sse-polling") expect(checks.some(isPassed), scenario).toBe(true);
        passed += checks.filter(isPassed).length;
      }
      expect(passed).toBeGreaterThanOrEqual(PASSED[revision]);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

interface Check {
  readonly id: string;
  readonly status: string;
}

const isPassed = ({ status }: Check): boolean => status === "SUCCESS";

/** By the scenario's name, which the suite puts between its side and the time. */
function resultsIn(out: string): ReadonlyMap<string, readonly Check[]> {
  return new Map(
    readdirSync(out).map((folder) => [
      folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, ""),
      JSON.parse(readFileSync(join(out, folder, "checks.json"), "utf8")) as readonly Check[],
    ]),
  );
}
