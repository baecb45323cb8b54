import { createInterface } from "node:readline/promises";
import { coloured, plain, type Terminal } from "./terminal.ts";

/** The terminal of this process. Colour only where a person looks. */
export function processTerminal({ noColor }: { readonly noColor: boolean }): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    paint: stderr.isTTY && !noColor ? coloured : plain,
    outPaint: stdout.isTTY && !noColor ? coloured : plain,
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    isOutTerminal: Boolean(stdout.isTTY),
    readInput: async () => {
      stdin.setEncoding("utf8");
      let text = "";
      for await (const chunk of stdin) text += chunk;
      return text;
    },
    question: async (prompt, signal) => {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
        return await Promise.race([lines.question(prompt, { signal }), closed]);
      } catch {
        return null;
      } finally {
        lines.close();
      }
    },
  };
}
