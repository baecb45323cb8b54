import { isWithin } from "../../domain/is-within.ts";
import type { SandboxReport } from "../../domain/sandbox-report.ts";
import { OWN_HOME, OWN_TMP } from "../../ports/sandbox.ts";
import type { FoundFile } from "../../shell/reading.ts";

/** Facts about the kernel, the same for every program. Not what `/proc` says of single processes. */
const FACTS =
  /^\/proc\/(?:cpuinfo|meminfo|loadavg|uptime|version|stat|vmstat|filesystems|cmdline|partitions|diskstats|swaps|devices|interrupts|modules|net\/\w+|sys(?:\/\w+)+)$/;

/**
 * Which files of a command are in the sandbox's own `/tmp`, home and `/proc`. Told by the letters of the path: the folders begin
 * empty, so that no link leads out of them, and a path with `..` is left to the machine. A workspace below `/tmp` is mounted there.
 */
export function ownPathsIn({ backend }: SandboxReport, workspace: string, cwd: string) {
  if (backend !== "namespaces") return () => null;
  return ({ kind, path, below }: Pick<FoundFile, "kind" | "path" | "below">, folder: string): string | null => {
    const from = path.startsWith("/") ? "" : folder.startsWith("/") ? folder : `${cwd}/${folder}`;
    const full = below === undefined ? `${from}/${path}` : `${FOLDERS[below.variable]}/${below.rest}`;
    const steps = full.split("/").filter((step) => step !== "" && step !== ".");
    if (steps.includes("..")) return null;
    const plain = `/${steps.join("/")}`;
    if (kind === "read" && FACTS.test(plain)) return plain;
    const isOwn = [OWN_TMP, OWN_HOME].some((own) => plain !== own && isWithin(plain, own));
    return isOwn && !isWithin(plain, workspace) && !isWithin(workspace, plain) ? plain : null;
  };
}

const FOLDERS = { HOME: OWN_HOME, TMPDIR: OWN_TMP } as const;
