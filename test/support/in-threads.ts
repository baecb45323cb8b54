import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** What is made and thrown away again needs no disk. */
const MEMORY = "/dev/shm";

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
  const env = existsSync(MEMORY) ? { ...process.env, TMPDIR: MEMORY } : process.env;
  const worker = new Worker(program, { workerData: task, env });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a thread ended with ${code} and without a result`)));
  });
}
