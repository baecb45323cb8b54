import { readTokenFile, type TokenFile } from "../config/token-file.ts";

/** Doors read no files of settings themselves. */
export const tokenFromFile = (path: string): TokenFile => readTokenFile(path);
