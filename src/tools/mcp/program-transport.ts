import { setImmediate } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/client";
import type { OutputChunk, SandboxEnd, SandboxedProgram } from "../../ports/sandbox.ts";
import { LineReader } from "./line-reader.ts";

const NOTES_MAX = 8 * 1024;

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
    void this.#listen().then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#program.input?.write(serializeMessage(message));
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
   * One message per turn of the event loop. The SDK handles a notification later than an answer, so without the pause
   * it would lose the progress that came before the answer.
   */
  async #hearAll(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      this.#hear(line);
      await setImmediate();
    }
  }

  /** A line that is not a message goes to `onerror` and has no other effect: some programs print a greeting. */
  #hear(line: string): void {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
