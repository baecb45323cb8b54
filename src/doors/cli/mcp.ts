import { visibleLine } from "../../domain/visible.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { ownSession } from "./own-session.ts";
import { forPeople } from "./refused-to-agent.ts";
import { tellOutOfUse } from "./tell-out-of-use.ts";
import { withGate } from "./with-gate.ts";

const ASK = ["client", "desk"] as const;

type Subcommand = (invocation: Invocation) => Promise<number>;

/** Each with what only it needs. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<Subcommand>>> = {
  list: async () => (await import("./mcp-servers.ts")).listServers,
  inspect: async () => (await import("./mcp-servers.ts")).inspectServer,
  add: async () => (await import("./mcp-edit.ts")).addServer,
  import: async () => (await import("./mcp-edit.ts")).importServers,
  install: async () => (await import("./mcp-install.ts")).installIn,
  accept: async () => (await import("./mcp-accept.ts")).acceptTools,
};

export const mcp: Command = {
  name: "mcp",
  usage: "mcp | list | inspect NAME | accept NAME [TOOL…] | add NAME -- COMMAND… | import FILE | install CLIENT",
  summary: "serve the tools to an MCP client on this process's pipes",
  details:
    "list         the upstream servers of the configuration, and what is known of them\n" +
    "inspect NAME asks a server what it offers, and shows what changed or is odd\n" +
    "add NAME     adds a server to the configuration: its command behind `--`, or its address as `--url`\n" +
    "import FILE  adds the servers of another client's settings (Claude, Cursor, VS Code, Zed, Gemini), after showing them; secrets are not copied\n" +
    "install CLIENT prints what belongs into its settings, `--write` puts it there: claude-desktop, claude-code, cursor, vscode, zed, gemini, codex\n" +
    "accept NAME  takes what it says now as what its tools, prompts, resources and code are, after showing it;\n" +
    "             `governor:ID` is the code of a governor\n" +
    "Without a word, speaks MCP on stdin and stdout: 2026-07-28, 2025-11-25 and older. Put it into a client's settings as\n" +
    '{"command": "npx", "args": ["toolgate", "mcp"]}\n' +
    "A question is shown by the client, if it can show forms; it can be answered with `toolgate approvals` as well.\n" +
    "The first answer counts. `--ask desk` never asks the client; with a token in TOOLGATE_TOKEN it is never asked, either.",
  examples: [
    "toolgate mcp",
    "toolgate mcp --ask desk",
    "toolgate mcp add files -- npx @modelcontextprotocol/server-filesystem .",
    "toolgate mcp import ~/.config/Claude/claude_desktop_config.json",
    "toolgate mcp install cursor --write",
    "toolgate mcp inspect github",
    "toolgate mcp accept github",
  ],
  subcommands: Object.keys(SUBCOMMANDS),
  flags: {
    digest: { type: "string", of: ["accept"], means: "the digest of the one tool, as `inspect` shows it" },
    url: { type: "string", of: ["add"], means: "the address of a server that is reached by HTTP" },
    write: { type: "boolean", of: ["install", "import"], means: "write it, after showing what changes" },
    ask: {
      type: "string",
      of: [""],
      means: "who is asked: the person behind the client, or only the desk",
      value: ASK,
    },
  },
  agents: [""],
  run: async (invocation) => {
    const [name, ...words] = invocation.words;
    if (name !== undefined && !Object.hasOwn(SUBCOMMANDS, name))
      throw new CommandLineError(
        `\`mcp ${name}\` does not exist`,
        `it is ${Object.keys(SUBCOMMANDS).join(", ")}, or nothing`,
      );
    noOtherFlags(mcp, name ?? "", invocation.flags);
    const subcommand = name === undefined ? undefined : await SUBCOMMANDS[name]?.();
    return await (subcommand ?? serve)({ ...invocation, words });
  },
};

async function serve(invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  const isAgents = invocation.environment.token !== null;
  // INVARIANT (nobody answers themselves): behind an agent's client there is the agent, whatever it fills into forms.
  if (isAgents && flags["ask"] === "client") return await invocation.refuse(forPeople("`--ask client`"));
  const ask = ASK.find((word) => word === (flags["ask"] ?? (isAgents ? "desk" : "client")));
  if (ask === undefined) throw new CommandLineError(`\`--ask ${flags["ask"]}\` does not exist`, "it is client or desk");
  return interruptible((signal) =>
    withGate(invocation, undefined, async (gate) => {
      const own = await ownSession(gate, invocation);
      if ("refusal" in own) return await invocation.refuse(own.refusal);
      tellOutOfUse(gate, terminal);
      const { serveMcpStdio } = await import("../mcp/serve-stdio.ts");
      const alarm = (message: string) => terminal.err(`mcp ${visibleLine(message)}\n`);
      await serveMcpStdio(gate, { stdin: process.stdin, stdout: process.stdout, ask, alarm, ...own }, signal);
      return EXIT.ok;
    }),
  );
}
