import { LIMITS } from "../../../domain/limits.ts";
import type { RunResult } from "../../../domain/tool.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { SandboxEnd, SandboxedProgram } from "../../../ports/sandbox.ts";
import { failedResult } from "../file-plan.ts";
import type { Findings } from "./findings.ts";
import { type Foreign, type RgEvent, rgEventFrom } from "./rg-event.ts";
import { failed, rgProblem } from "./rg-problem.ts";
import { RgRecords } from "./rg-records.ts";
import type { SearchInput } from "./search-input.ts";

export interface SearchParts {
  readonly input: SearchInput;
  readonly root: string;
  readonly isHidden: (path: string) => boolean;
  readonly findings: Findings;
}

/** One run of ripgrep, from its first record to the answer. */
export class Search {
  readonly #parts: SearchParts;
  /** Of files and of the folders that they lie in. */
  readonly #hidden = new Map<string, boolean>();
  #cut: "matches" | "bytes" | "time" | null = null;
  #isWhole = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  async run(program: SandboxedProgram, clock: Clock, signal: AbortSignal): Promise<RunResult> {
    const disarm = clock.after(this.#parts.input.timeoutMs ?? LIMITS.searchMs.default, () => {
      this.#cut ??= "time";
      program.stop();
    });
    try {
      await this.#read(program.output);
      if (this.#cut !== null) program.stop();
      const end = await program.ended;
      await this.#parts.findings.settle();
      return this.#resultFrom(end, signal);
    } finally {
      disarm();
    }
  }

  async #read(output: AsyncIterable<Uint8Array>): Promise<void> {
    const records = new RgRecords();
    for await (const chunk of output) {
      for (const record of records.add(chunk)) {
        const event = rgEventFrom(record);
        if (event !== null && this.#take(event) === "stop") return;
      }
    }
  }

  #take(event: RgEvent): "go on" | "stop" {
    if (event.kind === "done") this.#isWhole = true;
    else if (!this.#isHidden(event.path)) {
      const added = this.#parts.findings.add(event);
      if (added !== "added") {
        this.#cut ??= added;
        return "stop";
      }
    }
    return "go on";
  }

  /**
   * ripgrep was told to pass over what is hidden; this holds also if its globs and our patterns should ever differ.
   * A name that is no text is hidden by a pattern that matches it in either of its readings.
   */
  #isHidden({ text, base64 }: Foreign): boolean {
    const readings = base64 === undefined ? [text] : [text, Buffer.from(base64, "base64").toString("latin1")];
    return readings.some((path) => this.#isHiddenPath(path));
  }

  #isHiddenPath(path: string): boolean {
    const known = this.#hidden.get(path);
    if (known !== undefined) return known;
    const { root, isHidden } = this.#parts;
    const folder = path.slice(0, path.lastIndexOf("/"));
    const hidden = isHidden(path) || (folder.length > root.length && this.#isHiddenPath(folder));
    this.#hidden.set(path, hidden);
    return hidden;
  }

  #resultFrom(end: SandboxEnd, signal: AbortSignal): RunResult {
    const { input, root, findings } = this.#parts;
    if (end.kind === "refused") return failedResult(end.fault);
    if (signal.aborted) return { kind: "stopped" };
    if (this.#cut === null) {
      if (end.kind !== "exited")
        return failed("TOOL_FAILED", "the search was ended from outside", { detail: "repeat it" });
      if (!this.#isWhole) return rgProblem(end.errorText, end.exitCode, input, root);
    }
    const isPartial = end.kind === "exited" && end.exitCode > 1;
    const notes = isPartial ? ["[left out: some files or folders that could not be read]"] : [];
    return findings.result(this.#cut, (input.contextLines ?? 0) > 0, notes);
  }
}
