import { visibleLine } from "../../domain/visible.ts";
import { agentFrom } from "./acp-agent.ts";
import type { Command, Invocation } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { withGate } from "./with-gate.ts";

export const acp: Command = {
  name: "acp",
  usage: "acp -- AGENT… | --agent NAME",
  summary: "start an agent behind the gate, for an editor that speaks ACP",
  details:
    "Put it into the editor's settings in the place of the agent:\n" +
    '{"command": "npx", "args": ["toolgate", "acp", "--", "some-agent", "--acp"]}\n' +
    "Speaks ACP (revision 1) on stdin and stdout, and starts the agent in the sandbox. What the agent asks permission for, and\n" +
    "the files and commands that it asks its editor for, are judged by the rules; a question is shown by the editor, and can be\n" +
    "answered with `toolgate approvals` as well. The first answer counts. The agent is given the gate's own tools over MCP.\n" +
    "It sees the workspace read-only and has no network but for what `--grant` names, or `grant` of an agent of `acp.agents`.",
  examples: [
    "toolgate acp -- some-agent --acp",
    "toolgate acp --grant connect=api.example.com:443,write=./** -- some-agent --acp",
    "toolgate acp --agent gemini",
  ],
  flags: {
    agent: { type: "string", means: "an agent of `acp.agents`, with its own grant and environment" },
    grant: {
      type: "string",
      means: "what its process may do: `read=PATTERN`, `write=PATTERN`, `connect=HOST:PORT`, with commas between",
    },
  },
  run: (invocation) => interruptible((signal) => serve(invocation, signal)),
};

async function serve(invocation: Invocation, signal: AbortSignal): Promise<number> {
  const { terminal } = invocation;
  const [{ serveAcp }, { serveMcpStdio }] = await Promise.all([
    import("../acp/serve-acp.ts"),
    import("../mcp/serve-stdio.ts"),
  ]);
  const alarm = (message: string) => terminal.err(`acp ${visibleLine(message)}\n`);
  // What an agent does by itself is no tool for a model: so there are two gates, on one state.
  return await withGate(invocation, undefined, (own) =>
    withGate(
      invocation,
      undefined,
      async (gate) => {
        const agent = agentFrom(invocation, gate);
        const ended = await serveAcp(
          {
            ...{ gate, agent, alarm },
            input: (until) => terminal.input(until),
            output: process.stdout,
            notes: (text) => terminal.err(text),
            serveMcp: (stream, session, askElsewhere, until) =>
              serveMcpStdio(own, { stdin: stream, stdout: stream, ask: "desk", askElsewhere, session, alarm }, until),
          },
          signal,
        );
        if ("code" in ended) return await invocation.refuse({ ...ended, stage: "execute" });
        if (ended.kind === "editor" || ended.exitCode === 0) return EXIT.ok;
        alarm(ended.exitCode === null ? "the agent was ended" : `the agent ended with exit code ${ended.exitCode}`);
        return OUTCOME_EXIT.failed;
      },
      { agents: "judged" },
    ),
  );
}
