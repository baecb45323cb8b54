import type { Tool } from "../../domain/call.ts";
import type { Files } from "../../ports/files.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { writeFileTool } from "./write-file.ts";

/** The group `files` of the built-in tools. */
export const fileTools = (files: Files): readonly Tool[] => [
  readFileTool(files),
  writeFileTool(files),
  editFileTool(files),
  applyPatchTool(files),
  listDirectoryTool(files),
  deleteFileTool(files),
];
