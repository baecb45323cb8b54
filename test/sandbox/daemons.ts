import { expect } from "vitest";
import { openDescriptors } from "../files/scratch.ts";
import { marker, processesWith } from "./left-behind.ts";
import { ran, scripted } from "./real-sandbox.ts";

const python = (code: string) => `python3 -c '${code}'`;

/** Ways to outlive the program that started one. `MARK` sleeps for ever. */
export const DAEMONS: readonly string[] = [
  "sleep MARK &",
  "nohup sleep MARK >/dev/null 2>&1 &",
  "setsid sleep MARK &",
  "setsid -f sleep MARK",
  "(setsid sleep MARK &)",
  "(sleep MARK & disown) & disown",
  "((sleep MARK &) &)",
  "setsid bash -c '(sleep MARK &)' &",
  "exec 3>&1; setsid sleep MARK >&3 &",
  "bash -c 'trap \"\" HUP TERM INT; sleep MARK' &",
  "setsid bash -c 'trap \"\" TERM HUP; while :; do sleep MARK; done' >/dev/null 2>&1 &",
  "coproc sleep MARK",
  "sleep MARK > >(cat) &",
  "mkfifo /tmp/f; (cat /tmp/f; sleep MARK) & echo > /tmp/f",
  "timeout -s CONT 1d sleep MARK &",
  "nice setsid stdbuf -o0 sleep MARK &",
  "env -i setsid /usr/bin/sleep MARK &",
  "find / -maxdepth 0 -exec setsid -f sleep MARK \\;",
  "echo MARK | xargs -n1 setsid -f sleep",
  python('import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: os.execvp("sleep", ["sleep", "MARK"])'),
  python('import subprocess; subprocess.Popen(["sleep", "MARK"], start_new_session=True, close_fds=False)'),
];

/** One way so often: nothing is left, and no descriptor of ours. */
export async function daemonise(way: string, times: number): Promise<void> {
  await ran({ ...scripted("true"), view: "system", mounts: [], limits: LIMITS }); // what is opened once is open by now
  const before = openDescriptors();
  const runOnce = async (): Promise<void> => {
    const mark = marker();
    const command = { ...scripted(way.replaceAll("MARK", mark)), view: "system" as const, mounts: [] };
    const { end } = await ran({ ...command, limits: LIMITS });
    // At once: an end that is told before the end is none.
    expect([end.kind, processesWith(mark)]).toEqual(["exited", []]);
  };
  for (let done = 0; done < times; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - done) }, runOnce));
  expect(openDescriptors()).toBe(before);
}

const AT_ONCE = 5;
const LIMITS = { memoryBytes: 2 ** 30, openFiles: 256, tasks: 64, fileBytes: 2 ** 20 };
