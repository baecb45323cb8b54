/** A name with nothing in it that some model or client would not take. */
export const legalName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]+/g, "_");

/** A name for the catalog: legal for every model, and with the mark of whose it is. */
export const catalogName = (prefix: string, name: string): string => legalName(`${prefix}${name}`);
