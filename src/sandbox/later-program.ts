import type { ProgramInput, SandboxedProgram } from "../ports/sandbox.ts";
import { NOT_BEGUN } from "./sandbox-faults.ts";

/**
 * A program that is started in a moment. `begin` is asked to start nothing once `isWanted` says so; what it throws is
 * told to whoever reads the output. `isSpokenTo`: what is said to it meanwhile, it hears when it is there.
 */
export function laterProgram(
  begin: (isWanted: () => boolean) => Promise<SandboxedProgram>,
  signal: AbortSignal,
  isSpokenTo = false,
): SandboxedProgram {
  let isStopped = false;
  let program: SandboxedProgram | null = null;
  const begun = begin(() => !isStopped && !signal.aborted).then((one) => {
    program = one;
    if (isStopped) one.stop(); // told while it was being started
    return one;
  });
  /** How much was said before it was there, and is not handed on yet. */
  let waiting = 0;
  const said = (say: (one: SandboxedProgram) => Promise<void> | void): Promise<void> => {
    // INVARIANT (in order): nothing overtakes what was said before.
    if (program !== null && waiting === 0) return Promise.resolve(say(program));
    waiting++;
    const saidNow = (one: SandboxedProgram) => {
      waiting--;
      return say(one);
    };
    return begun.then(saidNow).catch(() => {});
  };
  const input: ProgramInput = {
    write: (text) => said((one) => one.input?.write(text)),
    end: () => void said((one) => one.input?.end()),
  };
  return {
    ...(isSpokenTo && { input }),
    output: following(async () => (await begun).output),
    chunks: following(async () => (await begun).chunks),
    listen: async (hear) => {
      const one = await begun;
      if (one.listen !== undefined) await one.listen(hear);
      else for await (const chunk of one.chunks) await hear(chunk);
    },
    ended: begun.then(({ ended }) => ended).catch(() => ({ kind: "refused", fault: NOT_BEGUN })),
    stop: () => {
      isStopped = true;
      program?.stop();
    },
  };
}

async function* following<Item>(source: () => Promise<AsyncIterable<Item>>): AsyncGenerator<Item> {
  yield* await source();
}
