import type { ReadTool } from "../../atip/read-metadata.ts";
import { type OperatorsWord, pinnedHash, trustIn } from "../../atip/trust.ts";
import type { Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type AtipPorts, atipTool } from "./atip-tool.ts";

export interface AtipSource extends ReadTool {
  readonly word: OperatorsWord;
  readonly timeoutMs?: number;
  readonly outputBytes?: number;
}

/** Every command of every described program. */
export function atipTools(sources: readonly AtipSource[], ports: AtipPorts): readonly Tool[] {
  return sources.flatMap(({ tool, leaves, word, timeoutMs, outputBytes }) => {
    const program = {
      trust: trustIn(tool, word),
      sha256: pinnedHash(tool, word),
      timeoutMs: timeoutMs ?? LIMITS.atipTimeoutMs.default,
      outputBytes: outputBytes ?? LIMITS.atipOutputBytes.default,
    };
    return leaves.map((leaf) => atipTool(leaf, program, ports));
  });
}
