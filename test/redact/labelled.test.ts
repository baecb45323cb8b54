import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { withCorpus } from "../support/parts.ts";
import { EXCLUSIONS, type LabelledRow, whyLeftOut } from "./labelled-rows.ts";
import { redactorOf } from "./samples.ts";

interface Judged extends LabelledRow {
  readonly isFound: boolean;
  readonly leftOut: string | null;
}

async function judged(rows: readonly LabelledRow[]): Promise<readonly Judged[]> {
  const redactor = await redactorOf();
  const secrets = new Set(rows.filter(({ label }) => label === "secret").map(({ text }) => text));
  return rows.map((row) => ({
    ...row,
    isFound: redactor.redactText(row.text).found.length > 0,
    leftOut: whyLeftOut(row, secrets),
  }));
}

function figuresOf(rows: readonly Judged[]) {
  const count = (label: LabelledRow["label"], isFound?: boolean) =>
    rows.filter((row) => row.label === label && (isFound === undefined || row.isFound === isFound)).length;
  return {
    secrets: count("secret"),
    found: count("secret", true),
    others: count("not_secret"),
    alarms: count("not_secret", true),
  };
}

const percent = (part: number, all: number): string => (all === 0 ? "none" : `${((100 * part) / all).toFixed(1)} %`);

function report(title: string, rows: readonly Judged[]): string {
  const { secrets, found, others, alarms } = figuresOf(rows);
  return `${title}: recall ${found}/${secrets} (${percent(found, secrets)}), false alarms ${alarms}/${others} (${percent(alarms, others)})`;
}

/** Rules are tuned on one half only; the other shows whether that holds for texts that nobody has looked at. */
const halfOf = ({ text }: LabelledRow): "tuned on" | "held out" =>
  (createHash("sha256").update(text).digest()[0] ?? 0) % 2 === 0 ? "tuned on" : "held out";

withCorpus<LabelledRow>("secrets_labelled.jsonl")("G14: labelled secrets", (rows) => {
  it("are reported by rule, over all rows", async () => {
    const all = await judged(rows);
    const halves = [...Map.groupBy(all, halfOf)].map(([half, some]) => report(`  the half ${half}`, some));
    const byRule = [
      ...Map.groupBy(
        all.filter((row) => halfOf(row) === "tuned on"),
        ({ rule }) => rule,
      ),
    ].map(([rule, some]) => report(`  ${rule}`, some));
    const imperfect = byRule.filter((line) => !/recall (\d+)\/\1 .*alarms 0\//.test(line));
    const reasons = [...Map.groupBy(all, ({ leftOut }) => leftOut)].map(
      ([reason, some]) => `  ${some.length} ${reason ?? "count"}`,
    );
    const lines = [
      report("all rows", all),
      ...halves,
      report(
        "rows that count",
        all.filter(({ leftOut }) => leftOut === null),
      ),
      ...reasons,
      `  ${byRule.length - imperfect.length} rules without a mistake in the half tuned on; the others:`,
      ...imperfect,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    const { found, alarms } = figuresOf(all);
    expect(found).toBeGreaterThanOrEqual(104);
    expect(alarms).toBeLessThanOrEqual(12);
    expect(figuresOf(all)).toMatchObject({ secrets: 119, others: 254 });
  });

  it("are found: at least 96 % of those that are some, with at most 2 % false alarms", async () => {
    const counting = (await judged(rows)).filter(({ leftOut }) => leftOut === null);
    const { secrets, found, others, alarms } = figuresOf(counting);
    const known = counting.filter((row) => halfOf(row) === "tuned on");
    const wrong = known.filter(({ label, isFound }) => isFound !== (label === "secret")).map(({ text }) => text);
    expect(found / secrets, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.96);
    expect(alarms / others, JSON.stringify(wrong)).toBeLessThanOrEqual(0.02);
  });

  it.each(EXCLUSIONS)("what is left out is proven by its text: $because", ({ concerns, proof }) => {
    const some = rows.filter(concerns);
    expect(some.filter(proof).length).toBeGreaterThan(0);
    // A row labelled a secret is never left out by its name alone.
    for (const row of some) if (row.label === "secret") expect(proof(row), row.text).toBe(true);
  });
});

withCorpus<{ readonly cmd: string }>("commands_real.jsonl")("commands that people use", (rows) => {
  it("hold next to no secrets: 3 in 8,000, one of them a token", async () => {
    const redactor = await redactorOf();
    const alarms = rows.map(({ cmd }) => redactor.redactText(cmd)).filter(({ found }) => found.length > 0);
    expect(alarms.length, JSON.stringify(alarms)).toBeLessThanOrEqual(3);
  });
});
it("ordinary commands and their output hold no secrets", async () => {
  const redactor = await redactorOf();
  const texts = [
    "npm install --save-dev vitest@5.1.0 && git commit -m 'add token parser'",
    "total 48\ndrwxr-xr-x  6 me me 4096 Nov 15 21:48 src\n-rw-r--r--  1 me me  371 Nov 15 21:48 key.ts",
    "commit bc87d0312f4a5b6c7d8e9f0a1b2c3d4e5f60718 (HEAD -> main)\nAuthor: A <a@b.example>",
    "sha512-abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF01==",
    "const token = await getToken(user.id); if (!token) throw new Error('no token');",
    "Set-Cookie: theme=dark; password must be at least 12 characters; see https://example.com:8443/docs#token",
    "docker run -u 1000:1000 -e TOKEN=$TOKEN -v /run/secrets/key:/key image@sha256:0123456789abcdef",
    '{"type":"object","properties":{"password":{"type":"string"},"token":{"type":"string"}},"required":["password"]}',
  ];
  for (const text of texts) expect(redactor.redactText(text)).toEqual({ text, found: [] });
});
