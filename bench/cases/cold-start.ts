import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Case, Suite } from "../harness.ts";
import { CHECKOUT, publishedCommand } from "../parts/published-package.ts";

const CALL = ["write_file", '{"path":"notes.txt","content":"hello"}'];

/** A command that does little, from the shell's point of view. Warm-up rounds fill Node's compile cache. */
export const coldStart: Suite = {
  name: "cold-start",
  rounds: 25,
  warmUpRounds: 3,
  aims: [
    {
      says: "toolgate explain / node -e 0",
      value: (usOf) => usOf("toolgate explain") / usOf("node -e 0"),
      unit: "ratio",
      bound: { atMost: 5 },
    },
  ],
  open: async ({ scratch }) => {
    const cwd = scratch.makeFolder("cold-start");
    const environment = { ...process.env, XDG_STATE_HOME: cwd };
    const command = publishedCommand(scratch);
    const node = (args: readonly string[]) =>
      execFileSync(process.execPath, args, { cwd, env: environment, stdio: "ignore" });
    const timed = (name: string, args: readonly string[]): Case => ({
      name,
      unitsPerRound: 1,
      round: () => void node(args),
    });
    node([command, "init"]);
    return {
      note: "whole processes",
      cases: [
        timed("node -e 0", ["-e", "0"]),
        timed("toolgate explain", [command, "explain", ...CALL]),
        timed("the same from src/ by type stripping", [join(CHECKOUT, "bin/toolgate.js"), "explain", ...CALL]),
      ],
    };
  },
};
