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
    return this.#number("exit-code");
  }

  /** The first process of the sandbox, whose end is the end of all the others in it; null = there is none yet. */
  childPid(): number | null {
    return this.#number("child-pid");
  }

  #number(name: string): number | null {
    for (const line of this.#text.split("\n")) {
      const told = numberIn(line, name);
      if (told !== null) return told;
    }
    return null;
  }
}

const TEXT_MAX = 64 * 1024;

function numberIn(line: string, name: string): number | null {
  try {
    const told: unknown = JSON.parse(line);
    const value = typeof told === "object" && told !== null ? (told as Record<string, unknown>)[name] : null;
    return Number.isSafeInteger(value) ? (value as number) : null;
  } catch {
    return null;
  }
}
