import type { Tool } from "../../domain/call.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Files } from "../../ports/files.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { writeFileTool } from "./write-file.ts";

export interface FileToolPorts {
  readonly files: Files;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** The group `files` of the built-in tools. */
export const fileTools = ({ files, sandbox, clock, redactor }: FileToolPorts): readonly Tool[] => [
  readFileTool({ files, redactor }),
  writeFileTool(files),
  editFileTool(files),
  applyPatchTool(files),
  listDirectoryTool(files),
  searchFilesTool({ files, sandbox, clock, redactor }),
  deleteFileTool(files),
];
