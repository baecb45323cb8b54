/** A value that is there already, or will be. Waiting for what is there costs every call a turn of the event loop. */
export type Now<T> = T | Promise<T>;

/** Not everybody's promises are the engine's own. */
export const isLater = <T>(value: Now<T>): value is Promise<T> =>
  typeof value === "object" && value !== null && "then" in value;

/** The same of what our own functions give back, whose promises are: this is quicker to tell. */
export const isPromise = <T>(value: Now<T>): value is Promise<T> => value instanceof Promise;
