import { statSync } from "node:fs";

/** Changes whenever one of the files does. */
export const stampOf = (files: readonly string[]): string =>
  files
    .map((file) => {
      const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? "-" : `${stats.ino}.${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}`;
    })
    .join(" ");
