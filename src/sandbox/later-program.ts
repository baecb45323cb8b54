import type { SandboxedProgram } from "../ports/sandbox.ts";

/** A program that is started in a moment. `begin` is asked to start nothing once `isWanted` says so. */
export function laterProgram(
  begin: (isWanted: () => boolean) => Promise<SandboxedProgram>,
  signal: AbortSignal,
): SandboxedProgram {
  let isStopped = false;
  let program: SandboxedProgram | null = null;
  const begun = begin(() => !isStopped && !signal.aborted).then((one) => {
    program = one;
    return one;
  });
  return {
    output: following(async () => (await begun).output),
    chunks: following(async () => (await begun).chunks),
    ended: begun.then(({ ended }) => ended),
    stop: () => {
      isStopped = true;
      program?.stop();
    },
  };
}

async function* following<Item>(source: () => Promise<AsyncIterable<Item>>): AsyncGenerator<Item> {
  yield* await source();
}
