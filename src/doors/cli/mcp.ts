import { visibleLine } from "../../domain/visible.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { withGate } from "./with-gate.ts";

const ASK = ["client", "desk"] as const;

export const mcp: Command = {
  name: "mcp",
  usage: "mcp [--ask client or desk]",
  summary: "serve the tools to an MCP client on this process's pipes",
  details:
    "Speaks MCP on stdin and stdout: 2026-07-28, 2025-11-25 and older. Put it into a client's settings as\n" +
    '{"command": "npx", "args": ["toolgate", "mcp"]}\n' +
    "A question is shown by the client, if it can show forms; it can be answered with `toolgate approvals` as well.\n" +
    "The first answer counts. `--ask desk` never asks the client.",
  examples: ["toolgate mcp", "toolgate mcp --config ~/work/toolgate.yaml", "toolgate mcp --ask desk"],
  flags: {
    ask: { type: "string", means: "who is asked: the person behind the client, or only the desk", value: ASK },
  },
  run: async (invocation) => {
    const [name] = invocation.words;
    if (name !== undefined)
      throw new UsageError(`\`mcp ${name}\` does not exist`, "`toolgate mcp` alone serves a client");
    return await serve(invocation);
  },
};

async function serve(invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  const ask = ASK.find((word) => word === (flags["ask"] ?? "client"));
  if (ask === undefined) throw new UsageError(`\`--ask ${flags["ask"]}\` does not exist`, "it is client or desk");
  return interruptible((signal) =>
    withGate(invocation, undefined, async (gate) => {
      const { serveMcpStdio } = await import("../mcp/serve-stdio.ts");
      const alarm = (message: string) => terminal.err(`mcp ${visibleLine(message)}\n`);
      await serveMcpStdio(gate, { stdin: process.stdin, stdout: process.stdout, ask, alarm }, signal);
      return EXIT.ok;
    }),
  );
}
