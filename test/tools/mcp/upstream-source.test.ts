import { expect, it } from "vitest";
import type { UpstreamSpec, UpstreamTool } from "../../../src/domain/upstream.ts";
import type { Pins } from "../../../src/ports/pins.ts";
import { compared } from "../../../src/tools/mcp/pinned.ts";
import { type SourceParts, UpstreamSource } from "../../../src/tools/mcp/upstream-source.ts";

const SPEC: UpstreamSpec = {
  name: "up",
  prefix: "up_",
  way: { kind: "http", url: "http://127.0.0.1:1/", headers: {} },
  missing: [],
  grant: { read: [], write: [], connect: [] },
  touches: {},
  trust: null,
  timeoutMs: 1000,
  connection: "shared",
};
const tool = (name: string, description = "x"): UpstreamTool => ({
  name,
  description,
  inputSchema: { type: "object" },
});
const AT = { at: "2026-11-18T00:00:00.000Z", otherNames: [] };

it("leaves out the tools of an upstream whose patterns take too long, by their names, and those of no other", () => {
  const costly = (name: string): UpstreamTool => ({
    ...tool(name),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { pattern: `a{${980 + i}}` }])),
    },
  });
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const seen: Record<string, Pins> = {
    up: compared([...names.map(costly), tool("z")], {}, AT).pins,
    other: compared([costly("a")], {}, AT).pins,
  };
  const parts = {
    specs: [SPEC, { ...SPEC, name: "other", prefix: "other_" }],
    taken: () => [],
    pins: { read: (upstream: string) => seen[upstream] },
  } as unknown as SourceParts;
  const source = new UpstreamSource(parts);
  const offered = () => [...source.tools()].map(({ definition }) => definition.name);
  const expected = ["up_a", "up_b", "up_c", "up_d", "up_e", "up_z", "other_a"];
  expect(offered()).toEqual(expected);
  const because = "its patterns, and those of schemas before it, take too long to compile";
  expect(source.leftOut()).toEqual(
    ["f", "g"].map((name) => ({
      upstream: "up",
      tool: name,
      because: `tool \`up_${name}\`: its input schema can't be used: ${because}`,
    })),
  );
  source.changed();
  expect(offered()).toEqual(expected);
  expect(source.find("up_a")?.check({ p0: "b" })).toHaveLength(1);
});

it("makes only those tools anew whose pins are others", () => {
  let pins: Pins = compared([tool("a"), tool("b")], {}, AT).pins;
  // The cast: nothing of it is started or asked here.
  const parts = {
    specs: [SPEC],
    taken: () => [],
    pins: { read: () => pins, write: () => {} },
  } as unknown as SourceParts;
  const open = () => new UpstreamSource(parts);
  const source = open();
  const [a, b] = [source.find("up_a"), source.find("up_b")];
  source.changed();
  expect([source.find("up_a"), source.find("up_b")]).toEqual([a, b]);
  expect(source.find("up_a")).toBe(a);
  expect(b?.unavailable).toBeUndefined();
  // Another definition, or the same one held back, is another tool.
  pins = compared([tool("a", "y"), tool("b")], pins, AT).pins;
  const later = open();
  expect(later.find("up_a")?.unavailable).toMatchObject({ code: "TOOL_CHANGED" });
  expect(later.find("up_b")?.unavailable).toBeUndefined();
});
