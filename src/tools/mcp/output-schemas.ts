import type { CallToolResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../domain/json.ts";
import type { UpstreamTool } from "../../domain/upstream.ts";
import { compileSchema } from "../../schema/compile-schema.ts";

type Check = Extract<ReturnType<typeof compileSchema>, { check: unknown }>["check"];

/** What an upstream promises of its tools' results. A schema that can't be read promises nothing. */
export class OutputSchemas {
  readonly #schemas = new Map<string, UpstreamTool["outputSchema"]>();
  readonly #checks = new Map<string, Check | null>();

  know(tools: readonly UpstreamTool[]): void {
    this.#schemas.clear();
    this.#checks.clear();
    for (const { name, outputSchema } of tools) if (outputSchema !== undefined) this.#schemas.set(name, outputSchema);
  }

  /** What the result has not of what was promised; null = it has all of it, or says that it failed. */
  mismatch(name: string, { structuredContent, isError }: CallToolResult): string | null {
    const schema = this.#schemas.get(name);
    if (schema === undefined || isError === true) return null;
    if (structuredContent === undefined) return "its answer has no structured content, which it promises";
    const check = this.#checkOf(name, schema as JsonObject);
    const [error] = check === null ? [] : check(structuredContent as JsonObject);
    return error === undefined ? null : `its structured content is not what it promises: ${error.message}`;
  }

  #checkOf(name: string, schema: JsonObject): Check | null {
    const known = this.#checks.get(name);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema);
    const check = "problem" in compiled ? null : compiled.check;
    this.#checks.set(name, check);
    return check;
  }
}
