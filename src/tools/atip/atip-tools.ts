import type { ReadTool } from "../../atip/read-metadata.ts";
import { type OperatorsWord, pinnedHash, trustIn } from "../../atip/trust.ts";
import type { Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Secret } from "../../domain/secret.ts";
import { AtipCommand, type AtipPorts } from "./atip-command.ts";
import type { OutputForm } from "./command-output.ts";

export interface AtipSource extends ReadTool {
  readonly word: OperatorsWord;
  readonly timeoutMs?: number;
  readonly outputBytes?: number;
  readonly secrets?: Readonly<Record<string, Secret>>;
  readonly form?: OutputForm;
  readonly shell?: boolean;
}

/** Every command of every described program. */
export function atipTools(sources: readonly AtipSource[], ports: AtipPorts): readonly Tool[] {
  return sources.flatMap(({ tool, leaves, word, timeoutMs, outputBytes, secrets, form, shell }) => {
    const program = {
      trust: trustIn(tool, word),
      sha256: pinnedHash(tool, word),
      timeoutMs: timeoutMs ?? LIMITS.atipTimeoutMs.default,
      outputBytes: outputBytes ?? LIMITS.atipOutputBytes.default,
      ...(secrets && { secrets }),
      ...(form && { form }),
      ...(shell !== undefined && { shell }),
    };
    return leaves.map((leaf) => new AtipCommand(leaf, program, ports));
  });
}
