import { expect, it } from "vitest";
import { quoted } from "../../src/domain/visible.ts";
import { made, namedSecrets, redactorOf } from "./samples.ts";

const SECRET = made(40);

it("what is left of a secret where a message cut it goes, from six bytes on", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets({ KEY: SECRET }) });
  for (let length = 1; length < SECRET.length; length++) {
    const head = `no tool is called \`x${SECRET.slice(0, length)}…\``;
    const tail = `\`…${SECRET.slice(-length)}/a.txt\` is not there`;
    expect(redactor.message(head)).toBe(length < 6 ? head : "no tool is called `x[REDACTED:KEY]…`");
    expect(redactor.message(tail)).toBe(length < 6 ? tail : "`…[REDACTED:KEY]/a.txt` is not there");
  }
});

it("however long the text before it is", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets({ KEY: SECRET }) });
  for (let before = 0; before < 100; before++) {
    const text = "z".repeat(before) + SECRET + "z".repeat(100 - before);
    for (const keep of ["start", "end"] as const) {
      const shown = redactor.message(quoted(text, { keep }));
      for (let from = 0; from + 8 <= SECRET.length; from++) expect(shown).not.toContain(SECRET.slice(from, from + 8));
    }
  }
});

it("a whole secret goes as well, and other texts stay", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets({ KEY: SECRET }) });
  expect(redactor.message(`a ${SECRET} b…`)).toBe("a [REDACTED:KEY] b…");
  expect(redactor.message("…and so on…")).toBe("…and so on…");
  expect((await redactorOf()).message("x…")).toBe("x…");
});
