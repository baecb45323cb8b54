import type { SandboxFault } from "../../../ports/sandbox.ts";

/** Where the program is. It comes as a package of its own for each platform, which may not have been installed. */
export type FindRipgrep = () => Promise<string | null>;

export const installedRipgrep: FindRipgrep = async () => {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
};

export const NO_RIPGREP: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "the search program `ripgrep` is not installed",
  hint: "install the package again with its optional dependencies (`npm install --include=optional`)",
};
