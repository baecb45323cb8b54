import type { Files } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";

/** What is asked of the machine to read what an agent says. */
export interface ToolCallPlace {
  readonly files: Files;
  readonly programs: Programs;
}
