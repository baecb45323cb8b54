import { type LeaseFile, readLeaseFile } from "../config/lease-file.ts";

/** Doors read no settings themselves. */
export const leaseFromFile = (path: string): LeaseFile => readLeaseFile(path);
