/** ISO 8601 in UTC, as all times on every wire and in the ledger. */
export const isoTime: (ms: number) => string = quickly();

/** From year 10000 on the text has another length. */
const YEAR_10000_MS = 253_402_300_800_000;
const MS_DIGITS = 3;

/** Writing out a date costs more than most of what a stage does, and nearly all of it is the same for a whole second. */
function quickly(): (ms: number) => string {
  let last = Number.NaN;
  let text = "";
  let second = Number.NaN;
  let begin = "";
  return (ms) => {
    if (ms === last) return text;
    if (!(Number.isInteger(ms) && ms >= 0 && ms < YEAR_10000_MS)) return new Date(ms).toISOString();
    const now = Math.floor(ms / 1000);
    if (now !== second) {
      begin = new Date(now * 1000).toISOString().slice(0, -"000Z".length);
      second = now;
    }
    text = `${begin}${String(ms - now * 1000).padStart(MS_DIGITS, "0")}Z`;
    last = ms;
    return text;
  };
}
