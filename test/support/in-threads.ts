import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { MEMORY } from "./memory.ts";

/**
 * Has a program do tasks in threads, as many as there are cores; each takes one task after the other. The program calls
 * `doTasks`, and can't use vitest.
 */
export async function inThreads<Task, Result>(program: URL, tasks: readonly Task[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = tasks.entries();
  const work = async () => {
    await using worker = new Worker(program, { env: { ...process.env, TMPDIR: MEMORY } });
    for (const [index, task] of queue) {
      worker.postMessage(task);
      // Rejects with what the thread throws.
      [results[index]] = await once(worker, "message");
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work));
  return results;
}

/** The other end: what is thrown ends the thread, and with it the suite. */
export function doTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  parentPort?.on("message", async (task: Task) => parentPort?.postMessage(await work(task)));
}
