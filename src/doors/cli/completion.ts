import { type Command, noWords, UsageError } from "./command.ts";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import { zshCompletion } from "./completion-zsh.ts";
import { EXIT } from "./exit-codes.ts";

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `commands`: all that there are, loaded when they are needed. */
export const completionOf = (commands: () => Promise<readonly Command[]>): Command => ({
  name: "completion",
  usage: "completion bash | zsh | fish",
  summary: "print what makes a shell complete commands, options and names of tools",
  details:
    'bash  put `eval "$(toolgate completion bash)"` into ~/.bashrc\n' +
    "zsh   write it to a file called `_toolgate` in a folder of $fpath\n" +
    "fish  write it to ~/.config/fish/completions/toolgate.fish",
  examples: ['eval "$(toolgate completion bash)"', "toolgate completion fish >toolgate.fish"],
  flags: {},
  subcommands: Object.keys(SHELLS),
  agents: "all",
  run: async ({ words: [shell = "", ...more], flags, terminal }) => {
    noWords(more);
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!script)
      throw new UsageError(shell === "" ? "no shell is named" : `\`${shell}\` is not known`, "bash, zsh or fish");
    const text = script(await commands());
    terminal.out(flags["json"] ? `${JSON.stringify({ shell, script: text })}\n` : text);
    return EXIT.ok;
  },
});
