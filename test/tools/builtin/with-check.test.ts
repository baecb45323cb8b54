import { describe, expect, it } from "vitest";
import { applyPatchTool } from "../../../src/tools/builtin/apply-patch.ts";
import { editFileTool } from "../../../src/tools/builtin/edit-file.ts";
import { listDirectoryTool } from "../../../src/tools/builtin/list-directory.ts";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import { requestErrors } from "../../../src/tools/builtin/web/request-input.ts";
import { writeFileTool } from "../../../src/tools/builtin/write-file.ts";

const NO_FILES = {} as never;
const TOOLS = {
  read_file: readFileTool({ files: NO_FILES, redactor: NO_FILES }),
  write_file: writeFileTool(NO_FILES),
  edit_file: editFileTool(NO_FILES),
  apply_patch: applyPatchTool(NO_FILES),
  list_directory: listDirectoryTool(NO_FILES),
} as const;

/** What is wrong with the arguments, by the schema and by what it can't say: all of it at once. */
const CASES: [keyof typeof TOOLS, object, string[]][] = [
  ["read_file", { path: 1, startLine: 3, endLine: 2 }, ["path type", "endLine minimum"]],
  ["read_file", { startLine: 3, offset: 2 }, ["path required", "startLine mutually_exclusive"]],
  ["read_file", { path: "a", startLine: "x", endLine: 2 }, ["startLine type"]],
  ["read_file", { path: "a", startLine: "x", endLine: 2, offset: 0 }, ["startLine type", "endLine mutually_exclusive"]],
  [
    "write_file",
    { content: "!", encoding: "base64", append: true, create_only: true, foo: 1 },
    ["path required", "foo unknown_field", "append mutually_exclusive", "content format"],
  ],
  ["write_file", { path: "a", encoding: "base64" }, ["content required"]],
  ["write_file", { path: "a", encoding: "base64", content: 5 }, ["content type"]],
  [
    "edit_file",
    {
      path: "a",
      edits: [
        { type: "insert", newText: "x" },
        { type: "repl", newText: 2 },
        { type: "insert", line: 1, oldText: "x", newText: "" },
        5,
        { type: "replace", newText: "x" },
      ],
    },
    [
      "edits[1].type enum",
      "edits[1].newText type",
      "edits[3] type",
      "edits[0].line required",
      "edits[2].oldText mutually_exclusive",
      "edits[2].newText min_length",
      "edits[4].oldText required",
    ],
  ],
  ["edit_file", { path: "a", edits: "x" }, ["edits type"]],
  ["edit_file", { path: "a", edits: [] }, ["edits min_items"]],
  ["edit_file", { path: 5 }, ["edits required", "path type"]],
  ["apply_patch", { patch: "nonsense", foo: 1 }, ["foo unknown_field", "patch format"]],
  ["apply_patch", { patch: "" }, ["patch min_length"]],
  ["list_directory", { pattern: "{a,b}" }, ["path required", "pattern format"]],
];

describe("withCheck", () => {
  it.each(CASES)("%s %j", (name, input, expected) => {
    const errors = TOOLS[name].check(input as never);
    expect(errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(expected);
  });

  it("a method that is wrong is not taken for the one that is meant where none is given", () => {
    const fields = (isSound: boolean) => requestErrors({ body: "x" }, () => isSound).map(({ field }) => field);
    expect([fields(true), fields(false)]).toEqual([["body"], []]);
  });
});
