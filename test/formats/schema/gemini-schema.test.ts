import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { geminiSchema } from "../../../src/formats/schema/gemini-schema.ts";

describe("Gemini's subset", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      "keeps what it knows",
      { type: "string", format: "date", title: "T" },
      { type: "string", format: "date", title: "T" },
    ],
    [
      "tells the rest",
      { type: "string", pattern: "^a", description: "d" },
      { type: "string", description: 'd (pattern: "^a")' },
    ],
    ["knows no const", { const: "a" }, { enum: ["a"] }],
    ["fills arrays", { type: "array" }, { type: "array", items: {} }],
    ["wants references alone", { $ref: "#/$defs/x", description: "d" }, { $ref: "#/$defs/x" }],
    ["knows the newer word for definitions", { $ref: "#/definitions/x" }, { $ref: "#/$defs/x" }],
    ["knows no other references", { $ref: "#/properties/b" }, { description: '($ref: "#/properties/b")' }],
    [
      "requires only what is defined",
      { type: "object", properties: { a: {} }, required: ["a", "b"] },
      { type: "object", properties: { a: {} }, required: ["a"] },
    ],
    ["requires nothing of nothing", { type: "object", required: ["b"] }, { type: "object", required: [] }],
    ["looks inside", { anyOf: [{ const: 1 }] }, { anyOf: [{ enum: [1] }] }],
  ])("%s", (_, part, shown) => {
    expect(geminiSchema({ type: "object", properties: { a: part } })).toEqual({
      type: "object",
      properties: { a: shown },
    });
  });

  it("moves definitions where they are looked for", () => {
    expect(geminiSchema({ type: "object", definitions: { x: { const: 1 } }, $defs: { y: {} } })).toEqual({
      type: "object",
      properties: {},
      $defs: { x: { enum: [1] }, y: {} },
    });
  });
});
