import type { ToolDefinition } from "../domain/tool.ts";
import type { Trust } from "../domain/tool-effects.ts";
import type { Leaf } from "./leaf.ts";
import { inputSchema } from "./parameter-schema.ts";

/** A command as the gate and the providers see it. */
export const definitionOf = (leaf: Leaf, trust: Trust, timeoutMs: number): ToolDefinition => ({
  name: leaf.name,
  description: leaf.description,
  source: "atip",
  containment: "sandbox",
  effects: leaf.effects,
  trust,
  timeoutMs,
  inputSchema: inputSchema(leaf),
});
