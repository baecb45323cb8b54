const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C and a hang-up cancel the call, which then ends with its outcome; a second Ctrl-C ends the process. */
export async function interruptible(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of SIGNALS) process.once(name, onSignal);
  try {
    return await run(stop.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}
