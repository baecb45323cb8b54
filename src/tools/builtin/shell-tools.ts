import type { Tool } from "../../domain/call.ts";
import type { Files } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";
import { runCommandTool } from "./run-command.ts";

/** The group `shell` of the built-in tools. */
export const shellTools = (files: Files, programs: Programs): readonly Tool[] => [runCommandTool(files, programs)];
