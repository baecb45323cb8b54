import { resolve } from "node:path";
import { ProblemError } from "../../client/problem-error.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { readSettings } from "../../wiring/settings.ts";
import { type Command, CommandLineError, type Invocation, noWords, UsageError } from "./command.ts";
import type { Step } from "./executor-loop.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { showRefusal } from "./show-refusal.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

export const executor: Command = {
  name: "executor",
  usage: "executor --token-file FILE [--url URL] [--concurrency N]",
  summary: "run tools of `tools.client` here, for a server that governs them",
  details:
    "Connects to `toolgate serve` with the token of a user who has the role `executor`, and runs the calls that it is handed:\n" +
    "`command` of the tool in the configuration here, as words and without a shell; `{path}` is the input `path`, and all\n" +
    "inputs are on stdin as JSON. Nothing is run that is not what the server has judged. Ctrl-C ends.",
  examples: [
    "toolgate executor --token-file executor.token",
    "toolgate executor --token-file executor.token --url http://127.0.0.1:7420",
  ],
  flags: {
    url: { type: "string", means: "the server; default: where `server` in the configuration says" },
    "token-file": { type: "string", means: "a file with the token, which nobody else can read", value: "file" },
    concurrency: { type: "string", means: "calls at a time; default: 3" },
  },
  run: async (invocation) => {
    const { cwd, environment, flags, terminal, words } = invocation;
    noWords(words);
    const file = flags["token-file"];
    if (typeof file !== "string")
      throw new CommandLineError("no token is given", "name its file with `--token-file FILE`");
    const concurrency = concurrencyFrom(flags["concurrency"]);
    const settings = readSettings(settingsFlags(invocation));
    if (settings.kind !== "ready") return refuseAll(settings, invocation);
    const { clientTools, server, workspace } = settings.config;
    const tools = clientTools.filter(({ command }) => command !== null);
    if (tools.length === 0)
      throw new UsageError("the configuration has no tool with a `command` under `tools.client`", "write one");
    const { tokenFromFile } = await import("../../wiring/token-file.ts");
    const read = tokenFromFile(resolve(cwd, file));
    if (!read.ok) {
      showRefusal({ code: "CONFIG_INVALID", stage: "resolve", ...read }, flags, terminal);
      return OUTCOME_EXIT.refused;
    }
    const { connect } = await import("../../client/connect.ts");
    const { runLocally } = await import("../../wiring/run-locally.ts");
    const { ExecutorLoop } = await import("./executor-loop.ts");
    const { searchPath } = environment;
    const loop = new ExecutorLoop({
      client: connect({ url: urlFrom(flags["url"], server), token: read.token.reveal() }),
      tools,
      concurrency,
      run: (command, signal) => runLocally({ ...command, cwd: workspace, searchPath }, signal),
      tell: (step) => tell(step, invocation),
    });
    return await interruptible(async (signal) => {
      try {
        await loop.listen(signal);
        return EXIT.ok;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const hint = error.problem.hint ?? "the token has to be one of a user with the role `executor`";
        terminal.err(
          `${terminal.paint("red", "refused")} ${visibleLine(error.message)}\n  hint ${visibleLine(hint)}\n`,
        );
        return OUTCOME_EXIT.refused;
      }
    });
  },
};

const CONCURRENCY = { default: 3, maximum: 64 } as const;

function concurrencyFrom(given: unknown): number {
  if (given === undefined) return CONCURRENCY.default;
  const number = typeof given === "string" && /^\d{1,2}$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= CONCURRENCY.maximum) return number;
  throw new UsageError(`\`--concurrency\` has to be a whole number from 1 to ${CONCURRENCY.maximum}`);
}

function urlFrom(given: unknown, { host, port }: { readonly host: string; readonly port: number }): string {
  if (given === undefined) return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const url = URL.parse(String(given));
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url.origin;
  throw new UsageError("`--url` has to be the address of a server, like `http://127.0.0.1:7420`");
}

const WORDS: Readonly<Record<Step["event"], string>> = {
  connected: "connected, and runs",
  began: "begins",
  ended: "has run",
  refused: "does not run",
  sent: "has told what came of",
  unsent: "could not tell what came of",
};

function tell(step: Step, { flags, terminal }: Invocation): void {
  if (flags["json"]) {
    terminal.out(`${visibleJson(step)}\n`);
    return;
  }
  const { event, tool_id: id, tool_name: tool, message, exit_code: exitCode } = step;
  const about = [tool && `${tool} (${id})`, message, exitCode !== undefined && `exit code ${exitCode}`];
  terminal.out(`${WORDS[event]} ${visibleLine(about.filter(Boolean).join(": "))}\n`);
}
