import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { withSeed } from "../support/parts.ts";

const undeclared = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `\`{{${name}}}\` is no parameter of this tool`);

/** The examples in their order: the tools that load, or what is said of them. */
const EXPECTED: readonly (readonly string[])[] = [
  ["web_request"],
  undeclared("path", "path"),
  ["functions.acp_fs__read_text_file"],
  ["data_processor", "quick_task"],
  undeclared("headers", "data", "data"),
  ["web_request_heavy"],
  undeclared("user"),
  undeclared("limit"),
  ["dangerous_operation"],
  ["unreliable_tool"],
  undeclared("url"),
  undeclared("url", "url", "method"),
];

withSeed("000")("the example tools in the text of A2A-ACP", (seed) => {
  const blocks = [...seed.matchAll(/```yaml\n([\s\S]*?)```/g)]
    .map(([, block = ""]) => block)
    .filter((block) => block.includes("script:"))
    .map((block) => (/^tools:/m.test(block) ? block : `tools:\n${block.replace(/^(?=.)/gm, "  ")}`));

  it("are as many as are looked at here", () => expect(blocks).toHaveLength(EXPECTED.length));

  it.each(EXPECTED.map((expected, at) => [blocks[at] ?? "", expected] as const))(
    "are read, and refused with place and fix where they use what nobody declared (%#)",
    (text, expected) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-seed-")));
      try {
        writeFileSync(join(folder, "tools.yaml"), text);
        writeFileSync(join(folder, "toolgate.yaml"), "tools: { builtin: [], scripts: [tools.yaml] }\n");
        const config = loadConfig({ path: join(folder, "toolgate.yaml"), variables: {} });
        if (config.ok) return expect(config.config.scripts.map(({ id }) => id)).toEqual(expected);
        expect(config.problems.map(({ message }) => message)).toEqual(expected);
        for (const { line, hint, message } of config.problems) {
          expect(text.split("\n")[line - 1]).toContain(/\{\{([^}]*)/.exec(message)?.[1]);
          expect(hint).toContain("declare");
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
