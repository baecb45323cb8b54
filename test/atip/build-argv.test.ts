import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildArgv } from "../../src/atip/build-argv.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { leafOf, leavesIn } from "./some-metadata.ts";

const argument = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  type: "string",
  description: "d",
  ...more,
});
const option = (name: string, flags: readonly string[], more: JsonObject = {}): JsonObject => ({
  ...argument(name, more),
  flags: [...flags],
});

const LEAF = leafOf({
  arguments: [argument("from"), argument("rest", { variadic: true, required: false })],
  options: [
    option("output", ["-o", "--output"]),
    option("count", ["-n"], { type: "integer" }),
    option("label", ["-l"]),
    option("force", ["-f", "--force"], { type: "boolean" }),
    option("tags", ["--tag", "--tags"], { type: "array" }),
    option("site", ["--site"], { type: "url" }),
    option("find", ["-name"]),
  ],
});

function words(input: JsonObject, leaf = LEAF): readonly string[] | readonly { rule: string }[] {
  const built = buildArgv(leaf, input);
  return built.ok ? built.argv.slice(1) : built.errors.map(({ field, rule }) => `${field} ${rule}`);
}

describe("the words of a command", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["nothing", {}, []],
    ["a positional", { from: "a" }, ["a"]],
    ["an empty positional", { from: "" }, [""]],
    ["positionals in the order of the description", { rest: ["b", "c"], from: "a" }, ["a", "b", "c"]],
    ["a list as many words", { from: "x", rest: ["a,b", "c d"] }, ["x", "a,b", "c d"]],
    ["one that would slide to the place of another", { rest: ["a"] }, ["from required"]],
    ["the long flag, and options before positionals", { from: "a", output: "o" }, ["--output", "o", "a"]],
    ["a number", { count: 5 }, ["-n", "5"]],
    ["a negative number behind a short flag", { count: -5 }, ["-n", "-5"]],
    ["a value like an option behind a long flag", { output: "-x" }, ["--output=-x"]],
    ["a value like a long option", { output: "--force" }, ["--output=--force"]],
    ["a flag that is wanted", { force: true }, ["--force"]],
    ["a flag that is not", { force: false }, []],
    ["a list of an option", { tags: ["a", "b"] }, ["--tag", "a", "--tag", "b"]],
    ["an empty list", { tags: [], rest: [] }, []],
    ["null is absent", { output: null }, []],
    ["what the command does not have", { other: "--evil", constructor: "x" }, []],
    ["a long flag with one dash", { find: "a" }, ["-name", "a"]],
    ["a whole URL", { site: "https://example.com/" }, ["--site", "https://example.com/"]],
  ])("%s", (_, input, expected) => expect(words(input)).toEqual(expected));

  it.each<[string, JsonObject, readonly string[]]>([
    ["a positional like an option", { from: "-rf" }, ["from option_injection"]],
    ["a positional that is a dash", { from: "-" }, ["from option_injection"]],
    ["one of many", { from: "a", rest: ["b", "--c"] }, ["rest option_injection"]],
    ["a short option's value like an option", { label: "-x" }, ["label option_injection"]],
    ["the same behind a long flag with one dash", { find: "-delete" }, ["find option_injection"]],
    ["a NUL", { from: "a\0b" }, ["from nul"]],
    ["no whole URL", { site: "example.com" }, ["site format"]],
    ["all of it at once", { from: "-a", label: "-b" }, ["label option_injection", "from option_injection"]],
  ])("refuses %s", (_, input, expected) => expect(words(input)).toEqual(expected));

  it("has `--` before positionals where the tool knows it", () => {
    const leaf = leafOf(
      { arguments: [argument("from")], options: [option("output", ["-o"])] },
      { "x-end-of-options": true },
    );
    expect(words({ from: "-rf" }, leaf)).toEqual(["--", "-rf"]);
    expect(words({ output: "x" }, leaf)).toEqual(["-o", "x"]);
    expect(words({ output: "-x" }, leaf)).toEqual(["output option_injection"]);
  });

  it("has global options before the command, unless the command has its own of that name", () => {
    const [leaf, own] = leavesIn({
      globalOptions: [option("repo", ["-R", "--repo"])],
      commands: {
        a: { description: "Does a thing", arguments: [argument("from")] },
        b: { description: "Does a thing", options: [option("repo", ["--repository"])] },
      },
    });
    expect(leaf && words({ repo: "r", from: "f" }, leaf)).toEqual(["--repo", "r", "a", "f"]);
    expect(own && words({ repo: "r" }, own)).toEqual(["b", "--repository", "r"]);
  });

  it("never gives a value the place of an option", () => {
    const flags = new Set(["--output", "-n", "-l", "--force", "--tag", "--site", "-name"]);
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => `-${text}`),
      fc.constantFrom("--", "-", "--output"),
    );
    const inputs = fc.record(
      { from: texts, rest: fc.array(texts), output: texts, label: texts, tags: fc.array(texts) },
      { requiredKeys: [] },
    );
    void fc.assert(
      fc.property(inputs, (input) => {
        const built = buildArgv(LEAF, input as unknown as JsonObject);
        if (!built.ok) return;
        const left = [...built.argv.slice(1)];
        // Read as a program would: a flag with its value, and positionals that are none.
        while (left[0]?.startsWith("-")) {
          const word = left.shift() as string;
          const name = word.split("=", 1)[0] as string;
          expect(flags.has(name)).toBe(true);
          if (!word.includes("=")) left.shift();
        }
        expect(left.filter((word) => word.startsWith("-"))).toEqual([]);
        const given = [input.from, ...(input.rest ?? [])].filter((value): value is string => value !== undefined);
        expect(left).toEqual(given as JsonValue[]);
      }),
    );
  });
});
