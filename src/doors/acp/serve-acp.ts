import type { Duplex, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { AgentSpec } from "../../domain/agent.ts";
import { LIMITS } from "../../domain/limits.ts";
import { visibleText } from "../../domain/visible.ts";
import type { AgentFault, RunningAgent } from "../../wiring/agent-programs.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { linesOf } from "../wire/lines-of.ts";
import { AcpDoor } from "./acp-door.ts";
import type { AcpSession } from "./acp-session.ts";
import { CallsMade } from "./calls-made.ts";
import { askEditor } from "./editor-approver.ts";
import { Peer } from "./peer.ts";

export interface AcpServing {
  /** With the tools of agents. */
  readonly gate: Gate;
  readonly agent: AgentSpec;
  /** What the editor says, until its end or the signal's. */
  readonly input: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly output: Writable;
  /** Speaks MCP to the agent, on a gate without those tools. */
  readonly serveMcp: (
    stream: Duplex,
    session: AcpSession["gate"],
    ask: Approver["ask"],
    signal: AbortSignal,
  ) => Promise<void>;
  /** Told what a person should know. */
  readonly alarm: (message: string) => void;
  /** What the agent writes to its stderr, made harmless. */
  readonly notes: (text: string) => void;
  readonly lineBytesMax?: number;
}

/** How it ended: the editor has gone, or the agent, with what it said last. */
export type AcpEnd = { readonly kind: "editor" } | { readonly kind: "agent"; readonly exitCode: number | null };

/** Serves one editor and one agent, until either goes. INVARIANT (no leftovers): by then no process of the agent's is there. */
export async function serveAcp(serving: AcpServing, signal: AbortSignal): Promise<AcpEnd | AgentFault> {
  const { gate, agent: spec, input, output, serveMcp, alarm } = serving;
  const stop = new AbortController();
  const over = AbortSignal.any([signal, stop.signal]);
  const started: { door: AcpDoor | null } = { door: null };
  const connected = (key: string, stream: Duplex) => {
    const session = started.door?.sessionOf(key) ?? null;
    if (session === null) return void stream.destroy();
    const ask: Approver["ask"] = (...asked) => askEditor({ gate, editor }, { session, withdraw: () => {} }, ...asked);
    const until = AbortSignal.any([over, session.over.signal]);
    void serveMcp(stream, session.gate, ask, until)
      .catch(() => alarm("a connection of the agent's broke off"))
      .finally(() => stream.end(() => stream.destroy()));
  };
  const left = new AbortController();
  const editor = new Peer((line) => written(output, line, left.signal));
  // Not by the signal: the agent is told to stop only once whoever waits has been told.
  const running = await gate.agentPrograms.start(spec, connected, stop.signal);
  if ("code" in running) return running;
  const agent = new Peer((line) => running.program.input?.write(line));
  const { acp: settings } = gate.inForce;
  const serverFor = (session: AcpSession) => ({ name: "toolgate", ...running.server(session.gate.id), env: [] });
  const calls = new CallsMade(gate);
  const { make: call } = calls;
  const door = new AcpDoor({ gate, call, agentName: spec.name, editor, agent, settings, serverFor, alarm });
  started.door = door;
  const stopAgent = (why: string) => {
    alarm(why);
    running.program.stop();
  };
  const hearing = hearAgent(running, door, serving, stopAgent).catch((cause) => {
    gate.faults.report(cause, { stage: "door" });
    stopAgent(MISTAKE);
  });
  const editorLeft = hearEditor(input(over), door, serving, stopAgent).then(() => "editor" as const);
  const first = await Promise.race([editorLeft, running.ended]);
  if (first === "editor") {
    await Promise.race([door.answered(), running.ended, until(GRACE_MS, signal)]);
    running.program.stop();
    left.abort();
  }
  const end = await running.ended;
  await hearing;
  await door.end();
  await calls.idle();
  stop.abort();
  await editorLeft;
  if (first === "editor") return { kind: "editor" };
  return { kind: "agent", exitCode: end.kind === "exited" ? end.exitCode : null };
}

/** For what an editor has piped in without waiting: long enough for an answer, and not for work that nobody sees. */
const GRACE_MS = 2000;

function until(timeMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** Others get their turn, however much one side says at once. */
const LINES_AT_ONCE_MAX = 64;
/** Of the longest there can be. */
const WAITING_LINES_MAX = 2;
const PIPE_ERRORS: ReadonlySet<unknown> = new Set([
  "ABORT_ERR",
  "ECONNRESET",
  "EIO",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
const errorCode = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;
const MISTAKE = "the gate made a mistake";

/**
 * Never waits for the agent to take what it is told: behind that the end of the editor would not be heard. What piles up is
 * bounded by stopping an agent that lets it. INVARIANT (in order): what is sent at all is sent before `fromEditor` first waits.
 */
async function hearEditor(
  input: AsyncIterable<Uint8Array>,
  door: AcpDoor,
  { alarm, gate, lineBytesMax = LIMITS.jsonBytes.default }: Pick<AcpServing, "alarm" | "gate" | "lineBytesMax">,
  stopAgent: (why: string) => void,
): Promise<void> {
  let waitingBytes = 0;
  const hear = async (bytes: Uint8Array | null) => {
    const size = bytes?.length ?? 0;
    waitingBytes += size;
    await door.fromEditor(bytes).catch((cause) => {
      gate.faults.report(cause, { stage: "door" });
      alarm(MISTAKE);
    });
    waitingBytes -= size;
  };
  try {
    let heard = 0;
    for await (const { bytes } of linesOf(input, lineBytesMax)) {
      if (bytes === null || !isBlank(bytes)) void hear(bytes);
      if (waitingBytes > WAITING_LINES_MAX * lineBytesMax) stopAgent("the agent takes nothing, and is stopped");
      if (++heard % LINES_AT_ONCE_MAX === 0) await turn();
    }
  } catch (cause) {
    // A pipe that broke is an editor that has gone. Anything else is a fault, and ends the session as well.
    if (!PIPE_ERRORS.has(errorCode(cause))) gate.faults.report(cause, { stage: "door" });
  }
}

/** A line that is too long may be an answer that somebody waits for: an agent that says one is told to go. */
async function hearAgent(
  { program }: RunningAgent,
  door: AcpDoor,
  { notes, ...serving }: AcpServing,
  stopAgent: (why: string) => void,
): Promise<void> {
  let heard = 0;
  for await (const { bytes } of linesOf(outputOf(program, notes), serving.lineBytesMax ?? LIMITS.jsonBytes.default)) {
    if (bytes === null) stopAgent("the agent said a line that is too long, and is stopped");
    else if (!isBlank(bytes)) await door.fromAgent(bytes);
    if (++heard % LINES_AT_ONCE_MAX === 0) await turn();
  }
}

async function* outputOf(
  { chunks }: RunningAgent["program"],
  notes: (text: string) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = new TextDecoder();
  for await (const { from, bytes } of chunks) {
    if (from === "stdout") yield bytes;
    else notes(visibleText(decoder.decode(bytes, { stream: true })));
  }
}

/** Spaces, and what Windows ends its lines with. */
const isBlank = (line: Uint8Array): boolean => line.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** Comes back when it takes more, or need not: who has left may never read what is still said. */
function written(output: Writable, line: string, left: AbortSignal): Promise<void> | void {
  if (output.destroyed || output.write(line) || left.aborted) return;
  return new Promise((resolve) => {
    const done = () => {
      for (const name of ENDS) output.off(name, done);
      left.removeEventListener("abort", done);
      resolve();
    };
    for (const name of ENDS) output.once(name, done);
    left.addEventListener("abort", done, { once: true });
  });
}

const ENDS = ["drain", "close", "error"] as const;
