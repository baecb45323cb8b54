import { type OpenedChunks, openChunks } from "../files/open-chunks.ts";

/** A file that a person named on a command line: theirs to read, so no rule speaks about it. */
export const openNamedFile = (path: string, read?: "once" | "again"): Promise<OpenedChunks> => openChunks(path, read);
