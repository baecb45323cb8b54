import { describe, expect, it } from "vitest";
import { progressLine } from "../../../src/doors/cli/progress-line.ts";
import { paperTerminal } from "../../support/paper-terminal.ts";

const CLEAR = "\r\u001b[2K";

describe("progress", () => {
  it("is one line that replaces itself, not too often, and goes away", () => {
    const terminal = paperTerminal({ isErrTerminal: true });
    let nowMs = 0;
    {
      using progress = progressLine(terminal, () => nowMs);
      progress.tell(() => "one");
      nowMs = 99;
      progress.tell(() => "two");
      nowMs = 100;
      progress.tell(() => "three");
    }
    expect(terminal.errText()).toBe(`${CLEAR}one${CLEAR}three${CLEAR}`);
  });

  it("that was never shown leaves nothing", () => {
    const terminal = paperTerminal({ isErrTerminal: true });
    progressLine(terminal)[Symbol.dispose]();
    expect(terminal.errText()).toBe("");
  });

  it.each([
    { isErrTerminal: false, isOutTerminal: false },
    { isErrTerminal: true, isOutTerminal: true },
  ])("is not shown to %j", (paper) => {
    const terminal = paperTerminal(paper);
    using progress = progressLine(terminal);
    progress.tell(() => {
      throw new Error("nobody looks");
    });
    expect(terminal.errText()).toBe("");
  });
});
