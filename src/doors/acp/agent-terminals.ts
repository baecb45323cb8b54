import { isAbsolute } from "node:path";
import { asScript } from "../../domain/as-script.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { CallOptions } from "../../wiring/gate.ts";
import type { AcpSession } from "./acp-session.ts";
import type { Reply } from "./agent-files.ts";
import { OutputTail } from "./output-tail.ts";
import { exitStatusOf, type Terminal } from "./terminals.ts";
import { errorFrom, INTERNAL_ERROR, invalidParams } from "./wire-errors.ts";

/** Where it does not say how much of the output it wants, and the most that is kept. */
const OUTPUT_BYTES = 1024 * 1024;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

type Run = (input: JsonObject, options: Pick<CallOptions, "signal" | "onProgress" | "onStarted">) => Promise<Outcome>;

/** `terminal/create`: a command of the gate's own, in its sandbox. Comes back once it runs, or will not. */
export async function createTerminal(params: JsonObject, session: AcpSession, run: Run): Promise<Reply> {
  const input = commandFrom(params, session);
  if (typeof input === "string") return { error: invalidParams(input) };
  if (session.terminals.isFull)
    return { error: { code: INTERNAL_ERROR, message: "too many terminals are not released" } };
  const limit = params["outputByteLimit"];
  const output = new OutputTail(typeof limit === "number" ? Math.min(limit, OUTPUT_BYTES_MAX) : OUTPUT_BYTES);
  const stop = new AbortController();
  const started = Promise.withResolvers<"started">();
  const ended = run(input, {
    signal: stop.signal,
    onProgress: ({ message }) => output.push(message),
    onStarted: () => started.resolve("started"),
  });
  const first = await Promise.race([started.promise, ended]);
  const error = first === "started" ? null : errorFrom(first);
  if (error !== null && first !== "started" && first.kind === "refused") return { error };
  const terminal: Terminal = { command: String(input["command"]), output, stop, ended, exit: null };
  void ended.then((outcome) => {
    terminal.exit = exitStatusOf(outcome);
  });
  return { result: { terminalId: session.terminals.add(terminal) } };
}

/** A text alone is a line for a shell, as agents write it; with arguments it is words that no shell reads. */
function commandFrom({ command, args, cwd, env }: JsonObject, session: AcpSession): JsonObject | string {
  if (typeof command !== "string" || command === "") return "`command` has to be a text";
  const words: readonly JsonValue[] | null =
    args === undefined || args === null ? [] : Array.isArray(args) ? args : null;
  if (words === null || words.some((word) => typeof word !== "string" || word.includes("\0")))
    return "`args` has to be a list of texts";
  if (cwd !== undefined && cwd !== null && (typeof cwd !== "string" || !isAbsolute(cwd)))
    return "`cwd` has to be an absolute path";
  const variables = variablesFrom(env);
  if (variables === null) return "`env` has to be a list of names and values";
  return {
    command: words.length === 0 ? command : asScript([command, ...(words as readonly string[])]),
    cwd: typeof cwd === "string" ? cwd : session.cwd,
    timeoutMs: LIMITS.commandTimeoutMs.maximum,
    ...(Object.keys(variables).length > 0 && { env: variables }),
  };
}

function variablesFrom(env: JsonValue | undefined): JsonObject | null {
  if (env === undefined || env === null) return {};
  if (!Array.isArray(env)) return null;
  const pairs = (env as readonly JsonValue[]).map((one) => (isJsonObject(one) ? [one["name"], one["value"]] : [null]));
  return pairs.every((pair) => pair.length === 2 && pair.every((part) => typeof part === "string"))
    ? (Object.fromEntries(pairs) as JsonObject)
    : null;
}

const UNKNOWN: Reply = { error: invalidParams("there is no such terminal") };

/** The other four: what one printed, its end, ending it, and letting go of it. */
export async function useTerminal(method: string, { terminalId }: JsonObject, session: AcpSession): Promise<Reply> {
  const terminal = session.terminals.get(terminalId);
  if (terminal === undefined) return UNKNOWN;
  switch (method) {
    case "terminal/output": {
      const { output, exit } = terminal;
      return { result: { output: output.text, truncated: output.truncated, ...(exit && { exitStatus: exit }) } };
    }
    case "terminal/wait_for_exit":
      return { result: exitStatusOf(await terminal.ended) };
    case "terminal/kill":
      terminal.stop.abort();
      await terminal.ended;
      return { result: {} };
    case "terminal/release":
      session.terminals.release(terminalId as string);
      return { result: {} };
    default:
      return UNKNOWN;
  }
}
