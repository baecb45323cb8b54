import type { Judged, SuiteResult } from "./harness.ts";

/** Ratios with their aims first; the absolute times below are for information and differ from machine to machine. */
export function suiteText({ suite, note, figures, aims }: SuiteResult): string {
  const width = Math.max(
    ...[...aims.map(({ says }) => says), ...figures.map(({ name }) => name)].map(({ length }) => length),
  );
  const aimLines = aims.map((aim) => {
    const mark = aim.isMet ? "pass" : "MISS";
    const value = valueText(aim.value, aim).padStart(10);
    return `  ${mark}  ${aim.says.padEnd(width)}  ${value}   aim: ${boundText(aim)}${spreadText(aim)}`;
  });
  const figureLines = figures.map(
    ({ name, medianUs, fastestUs }) =>
      `        ${name.padEnd(width)}  ${usText(medianUs).padStart(10)}   fastest ${usText(fastestUs)}`,
  );
  return [`${suite}${note === null ? "" : `  (${note})`}`, ...aimLines, ...figureLines, ""].join("\n");
}

/** How far apart the rounds were; nothing where all were alike. */
function spreadText(aim: Judged): string {
  const [low, high] = aim.quartiles.map((value) => valueText(value, aim));
  return low === high ? "" : `; half of the rounds ${low} to ${high}`;
}

const boundText = (aim: Judged): string =>
  "atMost" in aim.bound
    ? `at most ${valueText(aim.bound.atMost, aim)}`
    : `at least ${valueText(aim.bound.atLeast, aim)}`;

function valueText(value: number, { unit }: Judged): string {
  if (unit === "ratio") return value.toFixed(2);
  return unit === "MB" ? `${value.toFixed(0)} MB` : `${Math.round(value).toLocaleString("en")}/s`;
}

const usText = (us: number): string =>
  us < 10_000 ? `${us.toFixed(us < 100 ? 2 : 0)} µs` : `${(us / 1000).toFixed(1)} ms`;
