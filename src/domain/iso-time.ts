/** ISO 8601 in UTC, as all times on every wire and in the ledger. */
export const isoTime: (ms: number) => string = lastKept((ms) => new Date(ms).toISOString());

/** Many calls fall into one millisecond, and writing out a date costs more than most of what a stage does. */
function lastKept(write: (ms: number) => string): (ms: number) => string {
  let last = Number.NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) {
      text = write(ms);
      last = ms;
    }
    return text;
  };
}
