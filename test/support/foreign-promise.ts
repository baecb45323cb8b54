type Then<Value> = (resolve: (value: Value) => void) => void;

/** Promises of other makers: `then` gives nothing back, and there is no `catch`. */
const foreign = <Value>(then: Then<Value>): PromiseLike<Value> => ({ then }) as PromiseLike<Value>;

export const foreignPromise = <Value>(value: Value): PromiseLike<Value> =>
  foreign((resolve) => queueMicrotask(() => resolve(value)));

export const foreignThrow = (error: Error): PromiseLike<never> =>
  foreign(() => {
    throw error;
  });
