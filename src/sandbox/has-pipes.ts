import type { ChildProcess } from "node:child_process";

/** Without descriptors to give there are no pipes either, and its error comes later. */
export const hasPipes = (child: ChildProcess): boolean => child.stdio !== undefined;
