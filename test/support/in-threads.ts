import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { MEMORY } from "./memory.ts";

/**
 * Has a program do each task in a thread of its own, as many at a time as there are cores. It gets the task as
 * `workerData`, posts what becomes of it, and can't use vitest.
 */
export async function inThreads<Task, Result>(program: URL, tasks: readonly Task[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = tasks.entries();
  const work = async () => {
    for (const [index, task] of queue) results[index] = await inThread(program, task);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

function inThread<Task, Result>(program: URL, task: Task): Promise<Result> {
  const worker = new Worker(program, { workerData: task, env: { ...process.env, TMPDIR: MEMORY } });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a thread ended with ${code} and without a result`)));
  });
}
