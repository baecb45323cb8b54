// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { checkTools } from "../../src/wiring/check-tools.ts";
import { needs } from "../support/parts.ts";
import { postgresFolder, startPostgres } from "../support/postgres-server.ts";
import {
  approves,
  asKind,
  codeOf,
  type GateParts,
  openScratchGate,
  type ScratchGate,
} from "../support/scratch-gate.ts";

const FOLDER = fileURLToPath(new URL("../../examples/tools", import.meta.url));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

const RULES: readonly RuleSource[] = [{ id: "all", effect: "allow", grant: { write: ["./**"] } }];

const open = (file: string, parts: GateParts = {}): ScratchGate =>
  openScratchGate({
    rules: RULES,
    ...parts,
    files: { "tools.yaml": textOf(file) },
    config: { tools: { builtin: [], scripts: ["tools.yaml"] } },
  });

const said = (outcome: Outcome): string =>
  asKind(outcome, "completed")
    .content.map((item) => (item.type === "text" ? item.text : ""))
    .join("");

/** What should never be more than data. */
const NASTY = `'; touch fired; $(touch fired) \`touch fired\` "\n| touch fired #`;

describe("the example tools", () => {
  it("load, with rules that let them do their work, and lint without an error", async () => {
    const config = loadConfig({ path: join(FOLDER, "toolgate.yaml"), variables: {} });
    expect(config.ok ? [] : config.problems).toEqual([]);
    for (const file of ["http.yaml", "files.yaml", "text.yaml", "database.yaml"]) {
      await using scratch = open(file, { variables: { TOOL_DB_PASSWORD: "a-long-password" } });
      const problems = checkTools(scratch.gate.tools());
      expect(problems.filter(({ level }) => level === "error")).toEqual([]);
    }
  });
});

needs("bwrap", "curl")("the HTTP tools", () => {
  interface Seen {
    readonly method: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }

  async function withServer(use: (url: string, seen: readonly Seen[], rules: readonly RuleSource[]) => Promise<void>) {
    const seen: Seen[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        seen.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(request.url === "/down" ? 503 : 200).end(`answer ${seen.length}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const rules: readonly RuleSource[] = [{ id: "http", effect: "allow", grant: { connect: [`127.0.0.1:${port}`] } }];
    try {
      await use(`http://127.0.0.1:${port}`, seen, rules);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("make requests whose headers and bodies are data", async () => {
    await withServer(async (url, seen, rules) => {
      await using scratch = open("http.yaml", { rules });
      const input = {
        method: "POST",
        url: `${url}/x?a=[1]`,
        headers: { "X-One": "a b; c", "X-Two": "'\"$(id)" },
        data: `@${NASTY}`,
      };
      const outcome = await scratch.gate.call({ tool: "web_request", input });
      expect(said(outcome)).toMatch(/^answer 1\nSTATUS:200\n/);
      expect(seen[0]).toMatchObject({
        method: "POST",
        body: `@${NASTY}`,
        headers: { "x-one": "a b; c", "x-two": "'\"$(id)", "user-agent": "toolgate-example/1.0" },
      });
      const bad = (more: JsonObject) => scratch.gate.call({ tool: "web_request", input: { ...input, ...more } });
      expect(codeOf(await bad({ url: "file:///etc/passwd" }))).toBe("INVALID_ARGUMENTS");
      expect(codeOf(await bad({ method: "GET -o x" }))).toBe("INVALID_ARGUMENTS");
      expect(codeOf(await bad({ headers: { "-o": "x" } }))).toBe("ARG_OPTION_INJECTION");
      const elsewhere = asKind(await bad({ url: "http://127.0.0.1:1/", headers: {}, data: "" }), "completed");
      expect(JSON.stringify(elsewhere.content)).toMatch(/STATUS:(?:403|502|000)/);
      expect(seen).toHaveLength(1);
    });
  });

  it("try again, and remember", async () => {
    await withServer(async (url, seen, rules) => {
      await using scratch = open("http.yaml", { rules });
      const flaky = asKind(await scratch.gate.call({ tool: "flaky_api", input: { url: `${url}/down` } }), "failed");
      expect(flaky.error.retryable).toBe(true);
      expect(seen).toHaveLength(3);
      const cached = () => scratch.gate.call({ tool: "cached_api", input: { url } });
      expect(said(await cached())).toBe("answer 4");
      const again = await cached();
      expect(said(again)).toBe("answer 4");
      expect(asKind(again, "completed").cached).toBe(true);
    });
  });
});

needs("bwrap", "sqlite3")("the SQLite tool", () => {
  it("answers queries, changes nothing and runs nothing", async () => {
    await using scratch = open("database.yaml", { variables: { TOOL_DB_PASSWORD: "a-long-password" } });
    const database = join(scratch.workspace, "users.db");
    execFileSync("sqlite3", [
      database,
      "CREATE TABLE users (name, active); INSERT INTO users VALUES ('ann', 1), ('bo', 0)",
    ]);
    const ask = (input: JsonObject) =>
      scratch.gate.call({ tool: "sqlite_query", input: { database: "users.db", ...input } });
    expect(said(await ask({ query: "SELECT name FROM users WHERE active = 1" }))).toBe("name\nann\n");
    expect(said(await ask({ query: "SELECT name FROM users WHERE active = 0", format: "json" }))).toContain(
      '[{"name":"bo"}]',
    );
    expect(said(await ask({ operation: "tables" }))).toContain("users");
    expect(said(await ask({ operation: "schema" }))).toContain("CREATE TABLE");
    expect(codeOf(await ask({ query: "DROP TABLE users" }))).toBe("TOOL_FAILED");
    expect(codeOf(await ask({ query: ".shell touch fired" }))).toBe("TOOL_FAILED");
    expect(codeOf(await ask({ operation: "query" }))).toBe("TEMPLATE_MISSING_VALUE");
    const missing = asKind(await ask({ database: "gone.db", query: "x" }), "failed");
    expect(missing.error.mapped).toMatchObject({ code: -32002, detail: "no database at gone.db" });
    expect(existsSync(join(scratch.workspace, "fired"))).toBe(false);
    expect(execFileSync("sqlite3", [database, "SELECT COUNT(*) FROM users"]).toString()).toBe("2\n");
  });
});

needs("bwrap", "psql")("the PostgreSQL tool", () => {
  it("asks first, and says so where it finds no server", async () => {
    await using scratch = open("database.yaml", {
      variables: { TOOL_DB_PASSWORD: "a-long-password" },
      approver: approves,
    });
    const ask = (query: string) => scratch.gate.call({ tool: "database_query", input: { database: "app", query } });
    const pending = await scratch.gate.call(
      { tool: "database_query", input: { database: "app", query: "SELECT 1" } },
      { whenAsked: "return" },
    );
    expect(codeOf(pending)).toBe("pending");
    const failed = asKind(await ask("SELECT 1"), "failed");
    expect(failed.error).toMatchObject({ exitCode: 2, mapped: { code: -32603, retryable: true } });
    expect(JSON.stringify(failed)).not.toContain("a-long-password");
  });

  it.skipIf(postgresFolder() === null)(
    "answers queries of a real server, changes nothing and runs nothing",
    async () => {
      await using server = await startPostgres();
      server.run("CREATE ROLE tool_user LOGIN PASSWORD 'a-long-password'");
      server.run("CREATE DATABASE app");
      server.run("CREATE TABLE users (name text); INSERT INTO users VALUES ('ann'), ('bo')", "app");
      server.run("GRANT SELECT, INSERT, DELETE ON users TO tool_user", "app");
      const host = `PGHOST: localhost\n        PGPORT: "${server.port}"`;
      const here = (connect: readonly string[]): ScratchGate =>
        openScratchGate({
          rules: [{ id: "all", effect: "allow", ...(connect.length > 0 && { grant: { connect } }) }],
          files: { "tools.yaml": textOf("database.yaml").replace("PGHOST: localhost", host) },
          config: { tools: { builtin: [], scripts: ["tools.yaml"] } },
          variables: { TOOL_DB_PASSWORD: "a-long-password" },
          approver: approves,
        });
      await using scratch = here([`localhost:${server.port}`]);
      const ask = (query: string, gate = scratch.gate) =>
        gate.call({ tool: "database_query", input: { database: "app", query } });
      const first = await ask("SELECT name FROM users ORDER BY name");
      expect(said(first)).toBe("name\nann\nbo\n");
      expect(asKind(first, "completed").structured).toMatchObject({
        network: { connections: [{ host: "localhost", port: server.port, refused: null }] },
      });
      expect(said(await ask("SELECT 'it''s; \\! touch fired' AS x, ':query'"))).toBe(
        "x,?column?\nit's; \\! touch fired,:query\n",
      );
      const refused = [
        "SELECT 1; COMMIT; DELETE FROM users",
        "WITH gone AS (DELETE FROM users RETURNING 1) SELECT * FROM gone",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "\\! touch fired",
        "\\copy users TO PROGRAM 'touch fired'",
        "x'; DELETE FROM users; --",
      ];
      for (const query of refused) {
        const failed = asKind(await ask(query), "failed");
        expect([query, failed.error.exitCode, failed.error.mapped?.code]).toEqual([query, 3, -32602]);
      }
      expect(server.run("SELECT count(*) FROM users", "app")).toBe("2\n");
      expect(existsSync(join(scratch.workspace, "fired"))).toBe(false);
      await using closed = here([]);
      expect(asKind(await ask("SELECT 1", closed.gate), "failed").error.exitCode).toBe(2);
      await using elsewhere = here([`localhost:${server.port === 65_535 ? 1024 : server.port + 1}`]);
      expect(asKind(await ask("SELECT 1", elsewhere.gate), "failed").error.exitCode).toBe(2);
    },
  );
});

needs(
  "bwrap",
  "grep",
  "patch",
  "jq",
)("the tools for files and text", () => {
  it("read, write, edit and patch files", async () => {
    await using scratch = open("files.yaml");
    const call = (tool: string, input: JsonObject) => scratch.gate.call({ tool, input });
    const write = (path: string, content: string) => call("functions.acp_fs__write_text_file", { path, content });
    const read = (input: JsonObject) => call("functions.acp_fs__read_text_file", input);
    const edit = (input: JsonObject) => call("functions.acp_fs__edit_text_file", input);
    expect(said(await write("notes.txt", "one\ntwo\nthree\n"))).toBe("wrote 3 lines to notes.txt\n");
    expect(said(await read({ path: "notes.txt" }))).toBe("one\ntwo\nthree\n");
    expect(said(await read({ path: "notes.txt", line: 2, limit: 1 }))).toBe("two\n");
    const gone = asKind(await read({ path: "gone.txt" }), "failed");
    expect(gone.error.mapped).toMatchObject({ code: -32002, detail: "File not found: gone.txt", retryable: false });
    expect(codeOf(await read({ path: "notes.txt", line: 0 }))).toBe("INVALID_ARGUMENTS");
    expect(codeOf(await read({ path: "/etc/passwd" }))).toMatch(/PATH_NOT_ALLOWED|DENY/);

    expect(codeOf(await write("nasty.txt", NASTY))).toBe("completed");
    expect(scratch.text("nasty.txt")).toBe(NASTY);
    expect(codeOf(await edit({ path: "nasty.txt", old_string: "$(touch fired)", new_string: "&\\1$(id)" }))).toBe(
      "completed",
    );
    expect(scratch.text("nasty.txt")).toBe(NASTY.replace("$(touch fired)", () => "&\\1$(id)"));
    expect(asKind(await edit({ path: "notes.txt", old_string: "four", new_string: "" }), "failed").error.exitCode).toBe(
      3,
    );
    expect(asKind(await edit({ path: "notes.txt", old_string: "e", new_string: "E" }), "failed").error.exitCode).toBe(
      4,
    );
    expect(codeOf(await edit({ path: "notes.txt", old_string: "e", new_string: "E", replace_all: true }))).toBe(
      "completed",
    );
    expect(scratch.text("notes.txt")).toBe("onE\ntwo\nthrEE\n");

    const patch = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n onE\n-two\n+2\n thrEE";
    expect(codeOf(await call("functions.apply_patch", { patch }))).toBe("completed");
    expect(scratch.text("notes.txt")).toBe("onE\n2\nthrEE\n");
    expect(existsSync(join(scratch.workspace, "fired"))).toBe(false);
  });

  it("do one of several operations, each with its own arguments", async () => {
    await using scratch = open("files.yaml", { approver: approves });
    scratch.put("a.py", "-x TODO\n");
    const run = (input: JsonObject) => scratch.gate.call({ tool: "file_operations", input });
    expect(said(await run({ operation: "read", path: "a.py" }))).toBe("-x TODO\n");
    expect(said(await run({ operation: "write", path: "b.txt", content: "---\n" }))).toBe("written: b.txt\n");
    expect(scratch.text("b.txt")).toBe("---\n");
    expect(said(await run({ operation: "search", pattern: "-x", directory: ".", file_type: "py" }))).toBe(
      "./a.py:1:-x TODO\n",
    );
    expect(said(await run({ operation: "list", directory: ".", extension: "txt" }))).toBe("./b.txt\n");
    expect(codeOf(await run({ operation: "read" }))).toBe("TEMPLATE_MISSING_VALUE");
  });

  it("find files", async () => {
    await using scratch = open("files.yaml");
    scratch.put("a.py", "x = 1  # TODO\n");
    scratch.put("sub/b.py", "-e TODO\n");
    scratch.put("c.txt", "TODO\n");
    const find = async (input: JsonObject) =>
      said(await scratch.gate.call({ tool: "file_processor", input: { pattern: "*.py", ...input } }))
        .split("\n")
        .sort();
    expect(await find({ search: "TODO" })).toEqual(["", "./a.py", "./sub/b.py"]);
    expect(await find({ search: "-e TODO" })).toEqual(["", "./sub/b.py"]);
    expect(await find({ search: "TODO", limit: 1 })).toHaveLength(2);
    expect(await find({ search: NASTY })).toEqual([""]);
    expect(existsSync(join(scratch.workspace, "fired"))).toBe(false);
  });

  it("work on text", async () => {
    await using scratch = open("text.yaml");
    const text = async (operation: string, given: string) =>
      said(await scratch.gate.call({ tool: "text_processing", input: { operation, text: given } }));
    expect(await text("minify_json", '{ "a": [1, 2] }')).toBe('{"a":[1,2]}\n');
    expect(await text("extract_urls", "see https://a.example/x?y and $(id)")).toBe("https://a.example/x?y\n");
    expect(await text("word_count", "a b c")).toBe("3\n");
    expect(await text("base64_encode", NASTY)).toBe(Buffer.from(NASTY).toString("base64"));
    expect(await text("base64_decode", "aGk=")).toBe("hi");
    const call = (tool: string, input: JsonObject) => scratch.gate.call({ tool, input });
    expect(said(await call("quick_task", { message: NASTY }))).toBe(`${NASTY}\n`);
    expect(said(await call("unreliable_tool", {}))).toBe("went well\n");
    const info = said(await call("system_info", { include_network: true }));
    expect(info).toContain("=== Network ===");
    expect(said(await call("system_info", {}))).not.toContain("Network");
    scratch.put("users.csv", "ann,de\nbo,at\ncy,de\n");
    expect(said(await call("data_processor", { input_file: "users.csv", column: 2 }))).toMatch(/^\s*2 de\n\s*1 at\n$/);
    expect(said(await call("functions.shell", { program: "wc", arguments: ["-l", "users.csv"] }))).toBe(
      "3 users.csv\n",
    );
    expect(codeOf(await call("functions.shell", { program: "rm", arguments: ["-rf", "."] }))).toBe("INVALID_ARGUMENTS");
  });

  it("destroy only what was confirmed", async () => {
    await using scratch = open("text.yaml", { approver: approves });
    mkdirSync(join(scratch.workspace, "build"));
    expect(codeOf(await scratch.gate.call({ tool: "dangerous_operation", input: {} }, { whenAsked: "return" }))).toBe(
      "pending",
    );
    expect(existsSync(join(scratch.workspace, "build"))).toBe(true);
    expect(codeOf(await scratch.gate.call({ tool: "dangerous_operation", input: {} }))).toBe("completed");
    expect(existsSync(join(scratch.workspace, "build"))).toBe(false);
  });
});
