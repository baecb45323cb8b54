import { setImmediate } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../domain/json.ts";
import type { OutputChunk, SandboxEnd, SandboxedProgram } from "../../ports/sandbox.ts";
import { DirectCalls } from "./direct-calls.ts";
import { LineReader } from "./line-reader.ts";

const NOTES_MAX = 8 * 1024;
/** More than answers to all that are asked at a time. */
const LINES_AT_ONCE_MAX = 64;

/** MCP on the pipes of a program in the sandbox. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<SandboxEnd>;
  /** By these two the SDK knows the pipes of a program: one that says nothing to a question of 2026-07-28 is then of before. */
  readonly pid = null;
  readonly stderr = null;
  readonly #program: SandboxedProgram;
  readonly #lineBytesMax: number;
  #direct: DirectCalls | null = null;
  #notes = "";
  #isTooLong = false;
  /** To be told of it at once, while those still wait who waited for an answer. */
  onTooLong?: () => void;

  constructor(program: SandboxedProgram, lineBytesMax: number) {
    this.#program = program;
    this.#lineBytesMax = lineBytesMax;
    this.ended = program.ended;
  }

  /** The end of what it wrote to stderr: for people who wonder why it does not work. */
  get notes(): string {
    return this.#notes;
  }

  async start(): Promise<void> {
    void this.#listen().then(() => {
      this.#direct?.close();
      this.onclose?.();
    });
  }

  /** Calls that don't go through the SDK, once it has settled how is spoken. */
  direct(envelope: JsonObject): DirectCalls {
    this.#direct = new DirectCalls((lines) => this.#write(lines), envelope);
    return this.#direct;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(serializeMessage(message));
  }

  async #write(lines: string): Promise<void> {
    await this.#program.input?.write(lines);
  }

  async close(): Promise<void> {
    this.#program.input?.end();
    this.#program.stop();
    await this.#program.ended;
  }

  async #listen(): Promise<void> {
    const lines = new LineReader(this.#lineBytesMax);
    const decoder = new TextDecoder();
    const hear = ({ from, bytes }: OutputChunk): Promise<void> | void => {
      if (from === "stdout") return this.#take(lines, bytes);
      this.#notes = (this.#notes + decoder.decode(bytes, { stream: true })).slice(-NOTES_MAX);
    };
    if (this.#program.listen !== undefined) await this.#program.listen(hear);
    else for await (const chunk of this.#program.chunks) await hear(chunk);
    await this.#program.ended;
  }

  /** What still comes after a line that was too long is nobody's. */
  #take(lines: LineReader, bytes: Uint8Array): Promise<void> | void {
    if (this.#isTooLong) return;
    const whole = lines.push(bytes);
    if (whole === null) {
      this.#isTooLong = true;
      this.onTooLong?.();
      this.#program.stop();
    } else if (whole.length === 1) this.#hear(whole[0] ?? "");
    else if (whole.length > 1) return this.#hearAll(whole);
  }

  /**
   * The SDK hears a notification later than an answer: without a pause, progress that came before is lost. Who says very much at once lets
   * everybody else have a turn.
   */
  #hearAll(whole: readonly string[]): Promise<void> | void {
    for (const [at, line] of whole.entries())
      if (!this.#hear(line) || at === LINES_AT_ONCE_MAX)
        return setImmediate().then(() => this.#hearAll(whole.slice(at + 1)));
  }

  /** What is no message is left out: a program that prints a greeting is none the worse for it. True: the SDK has no part in it. */
  #hear(line: string): boolean {
    try {
      if (this.#direct?.hear(line) === true || line.trim() === "") return true;
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    return false;
  }
}
