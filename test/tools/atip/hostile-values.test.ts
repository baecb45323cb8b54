import { expect, it } from "vitest";
import { buildArgv } from "../../../src/atip/build-argv.ts";
import { asScript } from "../../../src/domain/as-script.ts";
import { readScript } from "../../../src/shell/read-script.ts";
import { leafOf } from "../../atip/some-metadata.ts";
import { call, ECHO, openExecutor } from "../../doors/atip/some-tools.ts";
import { corpus, needs, withCorpus } from "../../support/parts.ts";

const argument = { name: "word", type: "string", description: "d" };
const LEAF = leafOf({ arguments: [argument], options: [{ ...argument, name: "title", flags: ["--title"] }] });

withCorpus<{ payload: string }>("command_injection.jsonl")("what attackers write", (lines) => {
  const payloads = [
    ...lines.map(({ payload }) => payload),
    ...(corpus<{ text: string }>("blns.jsonl") ?? []).map(({ text }) => text),
  ];

  it("is one word and byte for byte itself, or refused", () => {
    let refused = 0;
    for (const payload of payloads) {
      const built = buildArgv(LEAF, { word: payload, title: payload });
      if (!built.ok) {
        expect(payload.startsWith("-") || payload.includes("\0")).toBe(true);
        refused++;
        continue;
      }
      expect(built.argv).toEqual(["tool", "--title", payload, payload]);
    }
    expect(refused).toBeLessThan(payloads.length / 10);
  });

  it("is read as one word where a shell starts the program", () => {
    for (const payload of payloads) {
      const { commands, unknown, tooComplex } = readScript(asScript(["tool", payload]));
      if (tooComplex !== null) continue; // nothing runs
      expect([commands.length, unknown]).toEqual([1, []]);
      expect(commands[0]?.argv.map(({ text, known }) => [text, known])).toEqual([
        ["tool", true],
        [payload, true],
      ]);
    }
  });
});

/** Where there is no corpus, a little is tried all the same. */
const ALWAYS = ["$(id)", "; id", "a  b", "'\""];

needs("bwrap")("in a real sandbox", () => {
  it.each([false, true])("they arrive as they are, with a shell: %j", async (shell) => {
    const payloads = (corpus<{ payload: string }>("command_injection.jsonl") ?? [])
      .map(({ payload }) => payload)
      .filter((payload) => !payload.startsWith("-") && !payload.includes("\0"))
      .filter((_, n) => n % 60 === 0);
    await using scratch = openExecutor({
      tools: [
        {
          ...ECHO,
          name: "printf",
          commands: {
            "": {
              ...ECHO.commands?.[""],
              description: "Prints each word",
              arguments: [
                { name: "form", type: "string", description: "d" },
                ...(ECHO.commands?.[""]?.arguments ?? []),
              ],
            },
          },
        },
      ],
      execution: { shell },
      output: { redactSecrets: false },
    });
    const result = await scratch.executor.execute(
      call("printf", { form: "%s\\n\\n", words: [...payloads, ...ALWAYS] }),
    );
    expect(result.stdout).toBe([...payloads, ...ALWAYS].map((payload) => `${payload}\n\n`).join(""));
  });
});
