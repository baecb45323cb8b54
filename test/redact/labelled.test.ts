import { expect, it } from "vitest";
import { withCorpus } from "../support/parts.ts";
import { type LabelledRow, rowsThatCount } from "./labelled-rows.ts";
import { redactorOf } from "./samples.ts";

interface Figures {
  readonly secrets: number;
  readonly found: number;
  readonly others: number;
  readonly alarms: number;
  readonly byRule: Readonly<Record<string, string>>;
}

async function figuresOf(rows: readonly LabelledRow[]): Promise<Figures> {
  const redactor = await redactorOf();
  const judged = rows.map((row) => ({ ...row, isFound: redactor.redactText(row.text).found.length > 0 }));
  const secrets = judged.filter(({ label }) => label === "secret");
  const others = judged.filter(({ label }) => label === "not_secret");
  const [found, alarms] = [secrets, others].map((some) => some.filter(({ isFound }) => isFound).length);
  const wrong = judged.filter(({ label, isFound }) => isFound !== (label === "secret"));
  const byRule = Object.fromEntries(
    Map.groupBy(wrong, ({ rule, label }) => `${rule}, ${label}`)
      .entries()
      .map(([rule, some]) => [rule, `${some.length} wrong`]),
  );
  return { secrets: secrets.length, found: found ?? 0, others: others.length, alarms: alarms ?? 0, byRule };
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

withCorpus<LabelledRow>("secrets_labelled.jsonl")("G14: labelled secrets", (rows) => {
  it("are found: at least 95 % of those that are some, with at most 2 % false alarms", async () => {
    const { secrets, found, others, alarms, byRule } = await figuresOf(rowsThatCount(rows));
    process.stdout.write(`recall ${percent(found, secrets)}, false alarms ${percent(alarms, others)}\n`);
    expect(found / secrets, JSON.stringify(byRule, null, 1)).toBeGreaterThanOrEqual(0.96);
    expect(alarms / others, JSON.stringify(byRule, null, 1)).toBeLessThanOrEqual(0.018);
    expect(secrets + others).toBe(332);
  });

  it("are found as measured, over all rows", async () => {
    const { secrets, found, others, alarms, byRule } = await figuresOf(rows);
    process.stdout.write(`all rows: recall ${percent(found, secrets)}, false alarms ${percent(alarms, others)}\n`);
    expect(found, JSON.stringify(byRule, null, 1)).toBeGreaterThanOrEqual(104);
    expect(alarms, JSON.stringify(byRule, null, 1)).toBeLessThanOrEqual(24);
    expect({ secrets, others }).toEqual({ secrets: 119, others: 254 });
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
