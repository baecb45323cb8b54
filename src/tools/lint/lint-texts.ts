import { visibleText } from "../../domain/visible.ts";
import { error, type Finding, warning } from "./definition-problem.ts";

/** What MCP takes. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** What every provider of models takes. */
const NAME_EVERYWHERE = /^[A-Za-z0-9_-]{1,64}$/;
const DESCRIPTION_MAX = 1024;

export function lintName(name: unknown): readonly Finding[] {
  if (typeof name !== "string" || name === "") return [error("name", "required", "the tool has no name")];
  if (!NAME.test(name)) {
    return [error("name", "format", "a name has 1 to 128 letters, digits, `_`, `.` and `-`, and nothing else")];
  }
  if (NAME_EVERYWHERE.test(name)) return [];
  return [
    warning("name", "format", "some providers take names of letters, digits, `_` and `-` only, up to 64 of them"),
  ];
}

export function lintDescription(description: unknown): readonly Finding[] {
  if (typeof description !== "string" || description.trim() === "") {
    return [error("description", "required", "without a description no model knows what the tool is for")];
  }
  return [
    ...hiddenIn("description", description),
    ...(description.length > DESCRIPTION_MAX
      ? [
          warning(
            "description",
            "max_length",
            `some providers take ${DESCRIPTION_MAX} characters, it has ${description.length}`,
          ),
        ]
      : []),
  ];
}

/** A model reads what a person who looks at it does not see. */
export const hiddenIn = (field: string, text: string): readonly Finding[] =>
  visibleText(text) === text
    ? []
    : [error(field, "hidden_text", "it holds characters that people don't see and models do")];
