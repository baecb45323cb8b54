/** The signal of a caller who can't cancel. Known by identity, so that nobody listens for what never comes. */
export const NEVER: AbortSignal = new AbortController().signal;
