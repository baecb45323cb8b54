import { visibleLine } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Terminal } from "./terminal.ts";

/** Says which upstreams are missing in what is shown or served, and what to do about it. */
export function tellOutOfUse({ upstreams }: Gate, { err, paint }: Pick<Terminal, "err" | "paint">): void {
  for (const { level, message } of upstreams.problems())
    if (level === "error") err(`${paint("yellow", "warning")} ${visibleLine(message)}\n`);
}
