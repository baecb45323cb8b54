import { describe, expect, it } from "vitest";
import { GLOBAL_FLAGS } from "../../../src/doors/cli/command.ts";
import { COMMANDS } from "../../../src/doors/cli/commands.ts";
import { commandHelp, HELP } from "../../../src/doors/cli/help.ts";

describe("the help", () => {
  it("fits on one screen of a terminal", () => {
    const lines = HELP.split("\n");
    expect(lines.length).toBeLessThanOrEqual(32);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each(Object.keys(COMMANDS))("of `%s` has usage, every option, and an example", async (name) => {
    const command = await COMMANDS[name]?.load();
    if (command === undefined) throw new Error("no command");
    const help = commandHelp(command);
    expect(command.name).toBe(name);
    for (const flag of [...Object.keys(command.flags), ...Object.keys(GLOBAL_FLAGS)])
      expect(help).toContain(`  --${flag}`);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) expect(example).toMatch(new RegExp(`\\btoolgate ${name}\\b`));
    expect(help).not.toMatch(/undefined|\[object/);
  });

  it.each(Object.keys(COMMANDS))("of `%s` names no command that does not exist", async (name) => {
    const command = await COMMANDS[name]?.load();
    const text = `${HELP}${command ? commandHelp(command) : ""}`;
    const named = [...text.matchAll(/\btoolgate ([a-z]+)\b/g)].map(([, word]) => word ?? "");
    for (const word of named) expect([...Object.keys(COMMANDS), "help"]).toContain(word);
  });
});
