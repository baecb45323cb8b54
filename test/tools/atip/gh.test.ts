import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Leaf } from "../../../src/atip/leaf.ts";
import { readMetadata } from "../../../src/atip/read-metadata.ts";
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { FORMATS, type FormatName } from "../../../src/formats/formats.ts";
import { Offer } from "../../../src/formats/offer.ts";
import { TOOL_RULES } from "../../formats/provider-rules.ts";
import { withSharedData } from "../../support/parts.ts";
import { installed, openDescribedGate } from "./described-gate.ts";

interface Command {
  readonly commands?: Readonly<Record<string, Command>>;
  readonly effects?: { readonly destructive?: boolean };
}

/** Read from the file by itself: not by what is tested. */
function leavesIn(command: Command, path: readonly string[]): readonly { path: readonly string[]; command: Command }[] {
  const inner = Object.entries(command.commands ?? {});
  return inner.length === 0
    ? [{ path, command }]
    : inner.flatMap(([name, each]) => leavesIn(each, name === "" ? path : [...path, name]));
}

const VALUES: Readonly<Record<string, JsonValue>> = {
  string: "some text",
  boolean: true,
  url: "https://example.com/x",
  file: "notes.md",
};

function read(metadata: JsonValue): readonly Leaf[] {
  const result = readMetadata(metadata);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.leaves;
}

const inputFor = (leaf: Leaf): JsonObject =>
  Object.fromEntries([...leaf.arguments, ...leaf.options].map(({ name, type }) => [name, VALUES[type] ?? null]));

/** By the rules of the facts, and not by the code that is tested. */
const flagsOf = (leaf: Leaf): readonly unknown[] =>
  leaf.options.flatMap(({ flags: all, type }) => {
    const flag = all.find((each) => each.startsWith("--")) ?? all[0];
    return type === "boolean" ? [flag] : [flag, VALUES[type]];
  });

interface Shown {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** The names in whatever form a provider takes them. */
function offeredIn(value: unknown): readonly Shown[] {
  if (Array.isArray(value)) return value.flatMap(offeredIn);
  if (typeof value !== "object" || value === null) return [];
  const members = value as Readonly<Record<string, unknown>>;
  const name = members["name"] ?? members["id"];
  if (typeof name !== "string") return Object.values(members).flatMap(offeredIn);
  return [{ name, parameters: propertiesIn(members) }];
}

function propertiesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof properties === "object" && properties !== null
    ? Object.keys(properties)
    : Object.values(rest).flatMap(propertiesIn);
}

withSharedData("atip")("gh", (folder) => {
  const metadata = JSON.parse(readFileSync(join(folder, "examples/gh.json"), "utf8")) as JsonObject;
  const own = leavesIn(metadata as Command, ["gh"]);
  const leaves = read(metadata);
  const destructive = own.filter(({ command }) => command.effects?.destructive).map(({ path }) => path.join("_"));
  const programs = installed("gh");

  it("has each of its 167 leaf commands as a tool, and the groups that can be called", () => {
    const names = new Set(leaves.map(({ name }) => name));
    expect(own).toHaveLength(167);
    expect(own.filter(({ path }) => !names.has(path.join("_")))).toEqual([]);
    expect(names.size).toBe(leaves.length);
    expect(leaves.length - own.length).toBe(10);
  });

  it.each(Object.keys(FORMATS) as FormatName[])("is a set of good tools for %s", async (format) => {
    await using scratch = openDescribedGate(metadata, { inner: { programs } });
    const tools = scratch.gate.tools(format);
    expect(TOOL_RULES[format](tools)).toEqual([]);
    for (const name of destructive)
      if (format !== "mcp" && format !== "a2a-acp") expect(JSON.stringify(tools)).toContain("DESTRUCTIVE");
      else expect(name).toBeTruthy();
  });

  it.each(Object.keys(FORMATS) as FormatName[])(
    "what a model calls by the names that %s shows is the command that was meant",
    { timeout: 120_000 },
    async (format) => {
      await using scratch = openDescribedGate(metadata, { entry: { trust: "vendor" }, inner: { programs } });
      const definitions = scratch.gate.tools();
      const offer = new Offer(format, definitions);
      const shown = offeredIn(offer.tools());
      expect(shown).toHaveLength(leaves.length);
      for (const [index, leaf] of leaves.entries()) {
        const own = inputFor(leaf);
        const { name, parameters } = shown[index] as Shown;
        // Every parameter under the name that is shown; in a strict schema also those that are left out, as null.
        const input = Object.fromEntries(
          Object.keys(definitions[index]?.inputSchema["properties"] ?? {}).map((each, n) => [
            parameters[n] ?? each,
            own[each] ?? null,
          ]),
        );
        const meant = offer.meant({ id: "1", isIdGiven: true, name, input: { value: input } });
        if (meant.kind !== "call") throw new Error(JSON.stringify(meant));
        const { plan } = await scratch.gate.explain({ tool: meant.tool, input: meant.input });
        expect(plan?.sandbox?.argv, name).toEqual(["/usr/bin/gh", ...leaf.path, ...flagsOf(leaf)]);
      }
    },
  );

  it("maps every tool back to the words of its command", async () => {
    await using scratch = openDescribedGate(metadata, { entry: { trust: "vendor" }, inner: { programs } });
    for (const leaf of leaves) {
      const { plan, errors } = await scratch.gate.explain({ tool: leaf.name, input: inputFor(leaf) });
      expect(errors, leaf.name).toBeUndefined();
      expect(plan?.sandbox?.argv).toEqual(["/usr/bin/gh", ...leaf.path, ...flagsOf(leaf)]);
    }
  });

  it.each(["vendor", "org", "community", "user", "inferred", undefined] as const)(
    "never runs one of the 18 destructive ones without a person, trusted as %s",
    async (trust) => {
      await using scratch = openDescribedGate(metadata, { entry: trust ? { trust } : {}, inner: { programs } });
      expect(destructive).toHaveLength(18);
      for (const name of destructive) {
        const { decision, ruleId } = await scratch.gate.explain({ tool: name, input: {} });
        expect(decision, name).toBe(trust === "vendor" || trust === "org" ? "ask" : "deny");
        expect(ruleId).toBe("builtin:atip:gh:destructive");
        const outcome = await scratch.gate.call({ tool: name, input: {} }, { whenAsked: "return" });
        expect(["pending", "refused"]).toContain(outcome.kind);
      }
    },
  );
});
