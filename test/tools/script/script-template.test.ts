import { expect, it } from "vitest";
import { byName } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { ScriptTemplate } from "../../../src/tools/script/script-template.ts";

const PARAMETERS = [
  { name: "l", type: "array", isClosed: false },
  { name: "m", type: "array", isClosed: false },
  { name: "b", type: "boolean", isClosed: false },
] as const;

const filled = (text: string, count: number, b = false) => {
  const checked = checkTemplate(text, PARAMETERS);
  if (!checked.ok) throw new Error(checked.problems[0]?.message);
  const list = Array<string>(count).fill("a");
  return new ScriptTemplate(checked.template, byName(PARAMETERS)).fill({ l: list, m: list, b });
};

it("sections in sections that come to nothing are gone through so often and no more", () => {
  for (const text of ["echo {{#l}}{{#m}}{{/m}}{{/l}}", "echo {{#l}}{{#m}}{{#b}} {{.}} {{/b}}{{/m}}{{/l}}"]) {
    expect(filled(text, 50_000)).toMatchObject({ ok: false, slot: null, why: /repeated too often/ });
    expect(filled(text, 30)).toMatchObject({ ok: true });
  }
});
