import type { Tool } from "../../domain/call.ts";
import { executeCommandTool } from "./execute-command.ts";
import { runCommandTool, type ShellPorts } from "./run-command.ts";

/** The group `shell` of the built-in tools. */
export const shellTools = (ports: ShellPorts): readonly Tool[] => [runCommandTool(ports), executeCommandTool(ports)];
