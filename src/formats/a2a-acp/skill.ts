import type { ToolDefinition } from "../../domain/tool.ts";

/** A tool as the seed's agent card lists it. */
export interface SeedSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
}

export const seedSkill = ({ name, description, source, about }: ToolDefinition): SeedSkill => ({
  id: name,
  name: about?.title ?? name,
  description,
  tags: [...new Set([...(source === "script" ? ["bash"] : []), "tool", ...(about?.tags ?? [])])],
  examples: [...(about?.examples ?? [])],
});
