import type { Writable } from "node:stream";
import type { ProgramInput, SandboxCommand } from "../ports/sandbox.ts";

/** Gives a program what it is to read: all of it at once, or, where it is spoken to, what is said while it runs. */
export function inputOf(pipe: Writable | null, stdin: SandboxCommand["stdin"]): ProgramInput | undefined {
  if (pipe === null || stdin === undefined) return undefined;
  pipe.on("error", () => {}); // it has gone, and its end says why
  if (typeof stdin === "string" || !("kind" in stdin)) {
    pipe.end(stdin);
    return undefined;
  }
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (pipe.destroyed) resolve();
        else pipe.write(text, () => resolve());
      }),
    end: () => void pipe.end(),
  };
}
