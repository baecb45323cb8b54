import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { checkDescription, checkTools, type DefinitionProblem } from "../../wiring/check-tools.ts";
import { openNamedFile } from "../../wiring/open-named-file.ts";
import { type Invocation, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";
import { withGate } from "./with-gate.ts";

/** A request with more is refused as a whole ("array too long"). */
const OPENAI_MAX = 128;

/** Looks at the tools of the configuration, or at definitions in a file that are to become some. */
export async function toolsCheck(invocation: Invocation, file: string | undefined): Promise<number> {
  if (file === undefined)
    return withGate(invocation, undefined, async (gate) =>
      shown(gate.tools().length, await gate.checkTools(), invocation),
    );
  const value = await jsonIn(file, invocation);
  const isDescription = isJsonObject(value) && value["atip"] !== undefined;
  const { definitions, problems } = isDescription
    ? checkDescription(value)
    : { definitions: definitionsIn(value, file), problems: [] };
  return shown(definitions.length, [...problems, ...checkTools(definitions)], invocation);
}

function shown(count: number, problems: readonly DefinitionProblem[], { flags, terminal }: Invocation): number {
  const ok = problems.every(({ level }) => level === "warning");
  terminal.out(
    flags["json"] ? `${visibleJson({ ok, tools: count, problems })}\n` : asText(count, problems, terminal.outPaint),
  );
  return ok ? EXIT.ok : OUTCOME_EXIT.failed;
}

function asText(count: number, problems: readonly DefinitionProblem[], paint: Paint): string {
  const lines = problems.map(({ tool, level, field, message }) => {
    const word = level === "error" ? paint("red", "error  ") : paint("yellow", "warning");
    const where = visibleLine(`${tool.slice(0, 128)}${field === "" ? "" : ` ${field.slice(0, 200)}`}`);
    return `${word} ${paint("bold", where)}: ${visibleLine(message)}`;
  });
  const errors = problems.filter(({ level }) => level === "error").length;
  if (count > OPENAI_MAX)
    lines.push(
      `${paint("cyan", "note   ")} OpenAI's Chat Completions takes ${OPENAI_MAX} tools at most: choose some with \`toolgate tools --format openai --only\``,
    );
  const sum = `${count} tools, ${errors} errors, ${problems.length - errors} warnings`;
  return `${[...lines, errors === 0 ? `${paint("green", "good")} ${sum}` : `${paint("red", "bad")} ${sum}`].join("\n")}\n`;
}

async function jsonIn(file: string, { cwd, terminal }: Invocation): Promise<JsonValue> {
  const reading = readJsonBytes(file === "-" ? await terminal.readInput() : await bytesOf(file, cwd));
  if (!reading.ok) {
    const { line, column, message } = reading.error;
    throw new UsageError(`\`${file}\` is not JSON: line ${line}, column ${column}: ${message}`);
  }
  return reading.value;
}

/** As `toolgate tools --json` prints them, or as an MCP server lists them. */
function definitionsIn(value: JsonValue, file: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? (value["tools"] ?? [value]) : value;
  if (!Array.isArray(list)) throw new UsageError(`\`${file}\` holds no list of tools`, "see `toolgate tools --json`");
  return list;
}

async function bytesOf(file: string, cwd: string): Promise<Uint8Array> {
  const opened = await openNamedFile(resolve(cwd, file));
  if (!opened.ok) throw new UsageError(`\`${file}\` ${opened.why}`);
  return await buffer(opened.chunks);
}
