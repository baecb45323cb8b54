import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const NAMES = ["linkSync", "renameSync", "unlinkSync"] as const;

export interface FailingCalls extends Disposable {
  /** How many calls there were. */
  readonly count: () => number;
}

/** The calls that publish files, counted; the `call`-th fails, or that and all behind it. The others are real. */
export function failingCalls({ call, times = "once" }: { call: number; times?: "once" | "for ever" }): FailingCalls {
  const real = NAMES.map((name) => [name, fs[name]] as const);
  let count = 0;
  for (const [name, original] of real) {
    fs[name] = (...given: unknown[]) => {
      count += 1;
      if (count === call || (times === "for ever" && count > call)) {
        throw Object.assign(new Error("EIO"), { code: "EIO", syscall: name });
      }
      return Reflect.apply(original, fs, given);
    };
  }
  syncBuiltinESMExports();
  const restore = () => {
    for (const [name, original] of real) Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  };
  return { count: () => count, [Symbol.dispose]: restore };
}
