import { PatchProblem } from "./patch.ts";

/** The lines of a patch, without their ends, one after the other. */
export class PatchLines {
  readonly #lines: readonly string[];
  #index = 0;

  constructor(patch: string) {
    const lines = patch.split("\n");
    if (lines.at(-1) === "") lines.pop();
    this.#lines = lines;
  }

  /** 1-based, of the line that comes next. */
  get number(): number {
    return this.#index + 1;
  }

  get isDone(): boolean {
    return this.#index >= this.#lines.length;
  }

  /** The next line as it is; empty behind the end. */
  get next(): string {
    return this.#lines[this.#index] ?? "";
  }

  /** The next line as a line of the patch's own, not of a file: a patch that went through Windows ends them with CRLF. */
  get header(): string {
    return this.next.endsWith("\r") ? this.next.slice(0, -1) : this.next;
  }

  get headerAfter(): string {
    const after = this.#lines[this.#index + 1] ?? "";
    return after.endsWith("\r") ? after.slice(0, -1) : after;
  }

  step(): void {
    this.#index++;
  }

  skipBlank(): void {
    while (!this.isDone && this.next.trim() === "") this.#index++;
  }

  problem(message: string): PatchProblem {
    return new PatchProblem(this.number, message);
  }
}
