import { LIMITS } from "../../domain/limits.ts";
import { visibleJson } from "../../domain/visible.ts";
import { linesOf } from "../wire/lines-of.ts";
import { type Command, type Invocation, noWords } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { ownSession } from "./own-session.ts";
import { tellOutOfUse } from "./tell-out-of-use.ts";
import { withGate } from "./with-gate.ts";

export const legacy: Command = {
  name: "legacy",
  usage: "legacy",
  summary: "serve `tools/use` to clients of the Zed tool system, on this process's pipes",
  details:
    "JSON-RPC on stdin and stdout, a message a line: initialize, tools/list, tools/use.\n" +
    "A `tools/use` with an id is answered; one without is answered by a `tools/result` of our own.\n" +
    "Each use is told on stderr as {event: tool_used, tool, duration_ms, success}.\n" +
    "With a token in TOOLGATE_TOKEN all of it happens in that session, and its lease binds it.\n" +
    "A question waits for `toolgate approvals`, for as long as the client keeps its end of stdin open. When that is closed,\n" +
    "questions are taken back, and what runs has 10 s to come to its end. For MCP clients use `toolgate mcp`.",
  examples: [
    `echo '{"jsonrpc":"2.0","id":1,"method":"tools/use","params":{"toolName":"read_file","input":{"path":"a.txt"}}}' | toolgate legacy`,
  ],
  flags: {},
  agents: "all",
  run: async (invocation) => {
    noWords(invocation.words);
    return await serve(invocation);
  },
};

const serve = (invocation: Invocation): Promise<number> =>
  interruptible((signal) =>
    withGate(invocation, undefined, async (gate) => {
      const { terminal } = invocation;
      const own = await ownSession(gate, invocation);
      if ("refusal" in own) return await invocation.refuse(own.refusal);
      tellOutOfUse(gate, terminal);
      const { LegacyDoor } = await import("../legacy/legacy-door.ts");
      const door = new LegacyDoor({
        gate,
        ...own,
        send: (message) => terminal.out(`${JSON.stringify(message)}\n`),
        used: (event) => terminal.err(`${visibleJson(event)}\n`),
        signal,
      });
      for await (const { bytes } of linesOf(terminal.input(signal), LIMITS.jsonBytes.default)) {
        if (bytes === null || !isBlank(bytes)) door.take(bytes);
      }
      await door.end();
      return EXIT.ok;
    }),
  );

/** Spaces, and what Windows ends its lines with. */
const isBlank = (line: Uint8Array): boolean => line.every((byte) => BLANKS.has(byte));

const BLANKS: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));
