import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { textOf } from "../../support/mcp-client.ts";
import { needs } from "../../support/parts.ts";
import { plainProgram } from "../../support/plain-program.ts";
import { type Cli, endOf, openCli } from "../../support/run-cli.ts";

const CONFIG = "rules:\n  - { id: read, effect: allow, touch: { read: ['./**'] } }\n";

describe("toolgate mcp", () => {
  it.each(["auto", "legacy"] as const)("serves a client that is %s", async (mode) => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "hello");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BUILT_PROGRAM, "mcp"],
      cwd: cli.workspace,
      env: { ...cli.env },
      stderr: "pipe",
    });
    const client = new Client({ name: "cli-client", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_file");
    expect(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toBe("hello");
    const denied = await client.callTool({ name: "write_file", arguments: { path: "b.txt", content: "x" } });
    expect(denied.isError).toBe(true);
    await client.close();
    expect(cli.lastState()).toBe("refused");
  });

  it("ends well when its input ends", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.run(["mcp"])).toMatchObject({ code: 0, out: "", err: "" });
  });

  it.each([
    [["mcp", "--ask", "nobody"], "`--ask nobody` does not exist"],
    [["mcp", "serve"], "`mcp serve` does not exist"],
  ])("refuses %j", async (args, message) => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await cli.run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  it("serves nothing without a config", async () => {
    using cli = openCli();
    const { code, out, err } = await cli.run(["mcp"]);
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("toolgate init");
  });
});

describe("toolgate mcp, the configuration", () => {
  const COMMENTED = `# mine\n${CONFIG}`;

  it("adds a server, keeps comments, and is trusted still", async () => {
    using cli = openCli(COMMENTED);
    expect(await cli.run(["mcp", "add", "git", "--", "npx", "-y", "git-server", "--verbose"])).toMatchObject({
      code: 0,
      out: "added git\n",
    });
    expect(cli.text("toolgate.yaml")).toContain("# mine");
    expect(cli.text("toolgate.yaml")).toContain("--verbose");
    expect(await cli.json(["explain", "read_file", '{"path":"a.txt"}'])).toMatchObject({ decision: "allow" });
    const again = await cli.run(["mcp", "add", "git", "--url", "https://a.example/mcp"]);
    expect(again).toMatchObject({ code: 3, err: expect.stringContaining("a server `git` already") });
    expect((await cli.run(["mcp", "add", "web", "--url", "https://a.example/mcp"])).code).toBe(0);
  });

  it.each([
    [["mcp", "add", "Git Hub", "--", "npx"], 3, "is no name for a server"],
    [["mcp", "add", "git"], 2, "neither a command nor an address is given"],
    [["mcp", "add"], 2, "no name is given"],
    [["mcp", "add", "git", "--url", "file:///a"], 3, "can't be asked for"],
    [["mcp", "import", "nothing.json"], 3, "there is no such file"],
    [["mcp", "import", "cursor"], 3, "name the file, such as `.cursor/mcp.json`"],
    [["mcp", "import"], 2, "no file is named"],
    [["mcp", "install", "notepad"], 2, "`notepad` is not a client that toolgate knows"],
    [["mcp", "inspect", "nobody"], 3, "no MCP server is called"],
    [["mcp", "inspect"], 2, "no server is named"],
  ])("%j is refused, and leaves the file as it was", async (args, code, message) => {
    using cli = openCli(COMMENTED);
    const ended = await cli.run(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(message);
    expect(cli.text("toolgate.yaml")).toBe(COMMENTED);
  });

  it.each<[readonly string[], number, string]>([
    [["mcp", "add", "Git Hub", "--", "npx"], 3, "is no name for a server"],
    [["mcp", "add", "git"], 2, "neither a command nor an address is given"],
    [["mcp", "add"], 2, "no name is given"],
    [["mcp", "import", "nothing.json"], 3, "there is no such file"],
    [["mcp", "import", "empty.json"], 3, "there is no server in it"],
    [["mcp", "import", "claude.json"], 3, "nothing was written"],
    [["mcp", "import"], 2, "no file is named"],
    [["mcp", "install", "notepad"], 2, "`notepad` is not a client that toolgate knows"],
    [["mcp", "install", "vscode", "--write"], 3, "`.vscode/mcp.json`: "],
    [["mcp", "inspect", "nobody"], 3, "no MCP server is called `nobody`"],
    [["mcp", "inspect"], 2, "no server is named"],
    [["mcp", "list", "more"], 2, "one word too many"],
    [["mcp", "accept", "nobody"], 3, "no MCP server is called `nobody`"],
    [["mcp", "accept"], 2, "no server is named"],
    [["mcp", "accept", "gone"], 1, "there is no program"],
    [["mcp", "accept", "gone", "tool"], 1, "there is no program"],
    [["mcp", "serve"], 2, "`mcp serve` does not exist"],
    [["mcp", "list", "--shiny"], 2, "unknown option `--shiny`"],
  ])("%j --json says in JSON why not", async (args, code, message) => {
    using cli = openCli(`${COMMENTED}tools: { mcp: { gone: { command: ./gone } } }\n`);
    cli.put("empty.json", JSON.stringify({ mcpServers: {} }));
    cli.put("claude.json", JSON.stringify({ mcpServers: { a: { command: "a" } } }));
    cli.put(".vscode/mcp.json", "no JSON");
    const [command = "", ...rest] = args;
    const ended = await cli.run([command, "--json", ...rest]);
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.out)).toEqual({
      kind: "refused",
      refusal: expect.objectContaining({ message: expect.stringContaining(message) }),
    });
  });

  it("names the server that was meant", async () => {
    using cli = openCli(`${COMMENTED}tools: { mcp: { github: { command: ./gone } } }\n`);
    expect((await cli.run(["mcp", "inspect", "githb"])).err).toContain("did you mean `github`");
  });

  it("imports the servers of another client, without its secrets", async () => {
    using cli = openCli(COMMENTED);
    const servers = { GitHub: { command: "npx", args: ["github"], env: { GITHUB_TOKEN: "ghp_secret" } } };
    cli.put("claude.json", JSON.stringify({ mcpServers: servers }));
    const env = { TOOLGATE_GITHUB_GITHUB_TOKEN: "x".repeat(20) };
    const shown = await cli.run(["mcp", "import", "claude.json"], { env });
    expect(shown).toMatchObject({ code: 3, out: "" });
    expect(shown.err).toContain('+ github: {"command":"npx","args":["github"]');
    expect(shown.err).toContain("nothing was written");
    expect(cli.text("toolgate.yaml")).toBe(COMMENTED);
    const ended = await cli.run(["mcp", "import", "claude.json", "--write"], { env });
    expect(ended).toMatchObject({ code: 0, out: "added github\n" });
    expect(ended.err).toContain("set TOOLGATE_GITHUB_GITHUB_TOKEN");
    expect(cli.text("toolgate.yaml")).not.toContain("ghp_secret");
  });

  it("imports, and says in JSON what was not taken over", async () => {
    using cli = openCli(COMMENTED);
    const env = { TOKEN: "ghp_secret", NODE_OPTIONS: "--require ./x", A: "b" };
    cli.put("claude.json", JSON.stringify({ mcpServers: { a: { command: "a", env }, b: {} } }));
    expect(await cli.json(["mcp", "import", "claude.json", "--write"])).toEqual({
      added: ["a"],
      leftOut: [{ server: "b", because: "it has no command and no address" }],
      dropped: [expect.stringContaining("NODE_OPTIONS")],
      secrets: ["TOOLGATE_A_TOKEN"],
    });
  });

  it("imports a server whose secret is not set yet, and everything else works meanwhile", async () => {
    using cli = openCli(COMMENTED);
    const servers = { github: { command: "npx", args: ["github"], env: { GITHUB_TOKEN: "ghp_secret" } } };
    cli.put("claude.json", JSON.stringify({ mcpServers: servers }));
    cli.put("a.txt", "hello");
    expect(await cli.run(["mcp", "import", "claude.json", "--write"])).toMatchObject({
      code: 0,
      out: "added github\n",
    });
    expect((await cli.run(["call", "read_file", '{"path":"a.txt"}'])).code).toBe(0);
    const variable = "TOOLGATE_GITHUB_GITHUB_TOKEN";
    const listed = await cli.run(["mcp", "list"]);
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining(`the variable \`${variable}\` is not set`) });
    const inspected = await cli.run(["mcp", "inspect", "github"]);
    expect(inspected.code).toBe(1);
    expect(inspected.err).toMatch(/SECRET_MISSING[\s\S]*export TOOLGATE_GITHUB_GITHUB_TOKEN=…/);
    const warning = `warning the upstream \`github\` is out of use: the variable \`${variable}\``;
    for (const command of ["tools", "mcp", "legacy"]) {
      const ended = await cli.run([command]);
      expect(ended).toMatchObject({ code: 0, err: expect.stringContaining(warning) });
    }
    expect(await cli.run(["tools", "check"])).toMatchObject({ code: 1, out: expect.stringContaining(variable) });
    expect(await cli.run(["rules", "check"])).toMatchObject({ code: 0, err: expect.stringContaining(variable) });
  });

  it.each(["claude-desktop", "claude-code", "cursor", "vscode", "zed", "gemini", "codex"])(
    "prints what belongs into %s",
    async (client) => {
      using cli = openCli(CONFIG);
      const { code, out } = await cli.run(["mcp", "install", client]);
      expect(code).toBe(0);
      expect(out).toMatch(/"npx"[\s\S]*"toolgate"[\s\S]*"mcp"/);
      if (client !== "codex") expect(() => JSON.parse(out)).not.toThrow();
    },
  );
});

it.each([
  ["codex", "~/.codex/config.toml"],
  ["vscode", ".vscode/mcp.json"],
])("what belongs into %s is one line of JSON where that is asked for", async (client, file) => {
  using cli = openCli(CONFIG);
  const { out } = await cli.run(["mcp", "install", client, "--json", "--workspace", "sub"]);
  const said = JSON.parse(out) as { readonly file: string; readonly text: string };
  expect(said.file).toBe(file);
  expect(said.text).toContain("toolgate");
  expect(said.text).toMatch(/"--workspace",\s*"\/.*sub"/);
  expect(out.trimEnd()).not.toContain("\n");
});

describe("toolgate mcp install --write", () => {
  const ENTRY = { command: "npx", args: ["toolgate", "mcp"] };

  it("puts itself into a client's settings, shows what changes, and keeps the rest", async () => {
    using cli = openCli(CONFIG);
    cli.put(".zed/settings.json", '{\n  // mine\n  "theme": "dark",\n}\n');
    const { code, out, err } = await cli.run(["mcp", "install", "zed", "--write"]);
    expect({ code, out }).toEqual({ code: 0, out: "it is written\n" });
    expect(err).toMatch(/\+ {3}"context_servers": \{[\s\S]*\+ +"source": "custom"/);
    expect(cli.text(".zed/settings.json")).toContain('  // mine\n  "theme": "dark",\n}\n');
    const written = cli.text(".zed/settings.json");
    expect(await cli.run(["mcp", "install", "zed", "--write"])).toMatchObject({ out: "it is there already\n" });
    expect(cli.text(".zed/settings.json")).toBe(written);
  });

  it("makes the file where there is none, also in the user's home", async () => {
    using cli = openCli(CONFIG);
    expect((await cli.run(["mcp", "install", "cursor", "--write"])).code).toBe(0);
    expect(JSON.parse(cli.text(".cursor/mcp.json"))).toEqual({ mcpServers: { toolgate: ENTRY } });
    const home = cli.put("home/a", "").slice(0, -2);
    expect((await cli.run(["mcp", "install", "codex", "--write"], { env: { HOME: home } })).code).toBe(0);
    expect(cli.text("home/.codex/config.toml")).toMatch(/"--config",".*toolgate.yaml"\]/);
  });

  it("follows no link, neither of a file nor of a folder", async () => {
    using cli = openCli(CONFIG);
    cli.put("elsewhere/mcp.json", "{}\n");
    symlinkSync("elsewhere", join(cli.workspace, ".cursor"));
    symlinkSync("elsewhere/mcp.json", join(cli.workspace, ".mcp.json"));
    for (const client of ["cursor", "claude-code"]) {
      const { code, err } = await cli.run(["mcp", "install", client, "--write"]);
      expect(code).toBe(3);
      expect(err).toContain("links are not followed");
    }
    expect(cli.text("elsewhere/mcp.json")).toBe("{}\n");
  });
});

needs("bwrap", "node")("toolgate mcp accept", () => {
  const UPSTREAM = "tools: { mcp: { up: { command: node, args: [upstream.mjs, a, extra.json] } } }\n";
  const open = () => {
    const cli = openCli(`${UPSTREAM}${CONFIG}`);
    cli.put("upstream.mjs", plainProgram("upstream.ts"));
    cli.put(
      "extra.json",
      '[{ "name": "odd", "description": "hides\\u200b text", "inputSchema": { "type": "object" } }]',
    );
    return cli;
  };

  it.each(["odd", "up_odd"])("takes %s, by its digest, as it is shown or as its server calls it", async (name) => {
    using cli = open();
    const { err } = await cli.run(["mcp", "accept", "up", name]);
    const [, digest = ""] = /digest (\w+)/.exec(err) ?? [];
    const accepted = await cli.run(["mcp", "accept", "up", name, "--digest", digest]);
    expect(accepted).toMatchObject({ code: 0, out: "accepted odd\n" });
    expect(await cli.run(["mcp", "accept", "up"])).toMatchObject({ code: 0, err: "nothing of it is held back\n" });
  });

  it.each([
    [["mcp", "accept", "up", "nothing"], 3, "`nothing` is nothing that it offers"],
    [["mcp", "accept"], 2, "no server is named"],
  ])("%j is no yes to anything", async (args, code, message) => {
    using cli = open();
    const ended = await cli.run(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(message);
  });
});

describe("the MCP inspector's command line", () => {
  const INSPECTOR = fileURLToPath(
    new URL("../../../node_modules/@modelcontextprotocol/inspector/cli/build/cli.js", import.meta.url),
  );

  const inspect = async (cli: Cli, ...args: readonly string[]) => {
    const toolgate = { command: process.execPath, args: [BUILT_PROGRAM, "mcp"], env: { ...cli.env } };
    const file = cli.put("inspector.json", JSON.stringify({ mcpServers: { toolgate } }));
    const all = [INSPECTOR, "--cli", "--config", file, "--server", "toolgate", ...args];
    const child = spawn(process.execPath, all, { cwd: cli.workspace, env: { ...cli.env } });
    child.stdin.end();
    const { out, err } = await endOf(child);
    return JSON.parse(out === "" ? err : out);
  };

  it("lists and calls", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "hello");
    const { tools } = await inspect(cli, "--method", "tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toContain("read_file");
    const called = await inspect(cli, "--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt");
    expect(called.content).toEqual([{ type: "text", text: "hello" }]);
  });
});
