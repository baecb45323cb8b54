import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { quoted } from "../../domain/visible.ts";
import { isAnnotation } from "../annotations.ts";
import { invalid, type SchemaProblem, tooComplex } from "../schema-problem.ts";
import { schemaAt } from "../schema-ref.ts";
import { endlessRef } from "./endless-ref.ts";
import { linearPattern } from "./linear-pattern.ts";
import { heldSchemas, type Keyword, keywordNamed } from "./schema-keywords.ts";

/** What the patterns of schemas may still take: of all that one upstream sends, or of one alone. */
export interface PatternRoom {
  instructions: number;
}

/** Why a user's schema is not taken; null = it is. Finds out without Ajv, which is loaded when an input is checked. */
export function inspectSchema(root: JsonObject, room?: PatternRoom): SchemaProblem | null {
  const own: PatternRoom = { instructions: LIMITS.schemaInstructions.default };
  const inspection: Inspection = { root, schemas: new Set(), refs: [], own, room: room ?? { ...own } };
  return problemIn(root, "", inspection) ?? refProblem(inspection) ?? endlessRef(root, inspection.schemas);
}

interface Inspection {
  readonly root: JsonObject;
  readonly schemas: Set<JsonObject>;
  readonly refs: { readonly ref: string; readonly at: string }[];
  readonly own: PatternRoom;
  /** With those that came before it. */
  readonly room: PatternRoom;
}

function problemIn(schema: JsonObject, at: string, inspection: Inspection): SchemaProblem | null {
  const partsMax = LIMITS.schemaParts.default;
  if (inspection.schemas.add(schema).size > partsMax) return tooComplex(`it has more than ${partsMax} schemas inside`);
  if (at !== "" && Object.hasOwn(schema, "$id")) return invalid(`${shown(`${at}$id`)} is allowed at the top only`);
  for (const [name, given] of Object.entries(schema)) {
    if (isAnnotation(name)) continue;
    const problem = keywordProblem(name, given, at + name, inspection);
    if (problem !== null) return problem;
  }
  return null;
}

function keywordProblem(name: string, given: JsonValue, at: string, inspection: Inspection): SchemaProblem | null {
  const keyword = keywordNamed(name);
  if (keyword === undefined) return invalid(`${shown(at)} is not a keyword that is known here`);
  if (!keyword.isGood(given)) return invalid(`${shown(at)} has a form that JSON Schema 2020-12 does not know`);
  // INVARIANT (pollution): Ajv reads over this name, so a schema that has it would be checked without that part.
  if (namesIn(name, given).includes("__proto__")) return invalid(`${shown(at)} has a field called \`__proto__\``);
  if (name === "$ref") inspection.refs.push({ ref: given as string, at });
  return patternProblem(name, given, at, inspection) ?? problemBelow(keyword, given, at, inspection);
}

function namesIn(name: string, given: JsonValue): readonly string[] {
  if (name === "required") return given as readonly string[];
  if (name === "dependentRequired") return Object.entries(given as JsonObject).flat(2) as string[];
  return keywordNamed(name)?.holds === "named schemas" ? Object.keys(given as JsonObject) : [];
}

function patternProblem(name: string, given: JsonValue, at: string, { own, room }: Inspection): SchemaProblem | null {
  const patterns =
    name === "pattern" ? [given as string] : name === "patternProperties" ? Object.keys(given as object) : [];
  for (const pattern of patterns) {
    const lengthMax = LIMITS.patternLength.default;
    if (pattern.length > lengthMax) return tooComplex(`${shown(at)} is longer than ${lengthMax} characters`);
    if (room.instructions <= 0)
      return tooComplex("its patterns, and those of schemas before it, take too long to compile");
    const compiled = linearPattern(pattern);
    own.instructions -= compiled.instructions;
    room.instructions -= compiled.instructions;
    if (own.instructions < 0)
      return tooComplex(`its patterns have more than ${LIMITS.schemaInstructions.default} instructions together`);
    if ("problem" in compiled) return invalid(`${shown(at)}: ${quoted(pattern)} ${compiled.problem}`);
  }
  return null;
}

function problemBelow(keyword: Keyword, given: JsonValue, at: string, inspection: Inspection): SchemaProblem | null {
  for (const [step, schema] of heldSchemas(keyword, given)) {
    const below = step === "" ? `${at}.` : `${at}.${step}.`;
    const problem = isJsonObject(schema) ? problemIn(schema, below, inspection) : null;
    if (problem !== null) return problem;
  }
  return null;
}

/** INVARIANT (nothing unseen): a reference leads to a schema that was inspected, never outside or into an annotation. */
function refProblem({ root, schemas, refs }: Inspection): SchemaProblem | null {
  const refsMax = LIMITS.schemaRefs.default;
  if (new Set(refs.map(({ ref }) => ref)).size > refsMax)
    return tooComplex(`it refers to more than ${refsMax} schemas`);
  const lost = refs.find(({ ref }) => {
    const target = schemaAt(root, ref);
    return typeof target !== "boolean" && !schemas.has(target as JsonObject);
  });
  if (lost === undefined) return null;
  return invalid(`${shown(lost.at)}: ${quoted(lost.ref)} names no schema inside this one, and others are not loaded`);
}

const shown = (at: string): string => quoted(at, { keep: "end" });
