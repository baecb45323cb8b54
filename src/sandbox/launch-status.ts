/** What bubblewrap tells on its status pipe: one JSON object on a line. */
export class LaunchStatus {
  #text = "";

  readonly add = (chunk: string): void => {
    // A few hundred bytes in all; whoever sends more is not bubblewrap.
    if (this.#text.length < TEXT_MAX) this.#text += chunk;
  };

  /**
   * How the program ended; null = it never ran. bubblewrap reports an exit code only once it has seen the program
   * started: its own exit code is 1 for a failed set-up, and for a program that ended with 1.
   */
  exitCode(): number | null {
    for (const line of this.#text.split("\n")) {
      const code = exitCodeIn(line);
      if (code !== null) return code;
    }
    return null;
  }
}

const TEXT_MAX = 64 * 1024;

function exitCodeIn(line: string): number | null {
  try {
    const told: unknown = JSON.parse(line);
    const code = typeof told === "object" && told !== null && "exit-code" in told ? told["exit-code"] : null;
    return typeof code === "number" ? code : null;
  } catch {
    return null;
  }
}
