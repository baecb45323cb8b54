/** Makes `count` calls, each after the one before. */
export async function oneByOne(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made++) await call();
}

/** Makes `count` calls, and keeps `width` of them going until none is left to begin. */
export async function inFlight(width: number, count: number, call: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
