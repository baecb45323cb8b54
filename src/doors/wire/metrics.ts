/** What a histogram counts up to, in seconds. */
const BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300] as const;

type Labels = Readonly<Record<string, string>>;

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Numbers for Prometheus. Labels are ours (routes, codes), never what a caller says: their number is bounded. */
export class Metrics {
  readonly #counters = new Map<string, Map<string, number>>();
  readonly #histograms = new Map<string, Map<string, Histogram>>();
  readonly #gauges = new Map<string, () => number>();

  count(name: string, labels: Labels = {}): void {
    const series = this.#counters.get(name) ?? new Map<string, number>();
    this.#counters.set(name, series);
    const key = shown(labels);
    series.set(key, (series.get(key) ?? 0) + 1);
  }

  observe(name: string, labels: Labels, seconds: number): void {
    const series = this.#histograms.get(name) ?? new Map<string, Histogram>();
    this.#histograms.set(name, series);
    const key = shown(labels);
    const histogram = series.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    series.set(key, histogram);
    // Each bucket holds those below it too; what takes a millisecond is in all of them.
    for (let at = BUCKETS.length - 1; at >= 0 && seconds <= (BUCKETS[at] ?? 0); at--)
      histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count++;
  }

  /** Asked when somebody looks. */
  gauge(name: string, value: () => number): void {
    this.#gauges.set(name, value);
  }

  text(): string {
    const lines = [
      ...[...this.#counters].flatMap(([name, series]) => [
        `# TYPE ${name} counter`,
        ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
      ]),
      ...[...this.#gauges].flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value()}`]),
      ...[...this.#histograms].flatMap(([name, series]) => [
        `# TYPE ${name} histogram`,
        ...[...series].flatMap(([labels, histogram]) => histogramLines(name, labels, histogram)),
      ]),
    ];
    return `${lines.join("\n")}\n`;
  }
}

function histogramLines(name: string, labels: string, { counts, sum, count }: Histogram): readonly string[] {
  const with_ = (le: string) => (labels === "" ? `{le="${le}"}` : `${labels.slice(0, -1)},le="${le}"}`);
  return [
    ...BUCKETS.map((bound, index) => `${name}_bucket${with_(String(bound))} ${counts[index]}`),
    `${name}_bucket${with_("+Inf")} ${count}`,
    `${name}_sum${labels} ${sum}`,
    `${name}_count${labels} ${count}`,
  ];
}

const UNFIT = /["\\\n]/;

/** Made for every request, several times: so without lists in between, and nothing is replaced where nothing has to be. */
function shown(labels: Labels): string {
  let pairs = "";
  for (const name of Object.keys(labels)) {
    const value = labels[name] ?? "";
    const fit = UNFIT.test(value) ? value.replaceAll(/["\\\n]/g, "_") : value;
    pairs += `${pairs === "" ? "" : ","}${name}="${fit}"`;
  }
  return pairs === "" ? "" : `{${pairs}}`;
}
