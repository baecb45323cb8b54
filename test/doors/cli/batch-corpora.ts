import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Cli, openCli } from "../../support/run-cli.ts";

const FILES_ALLOWED = `rules:
  - { id: all, effect: allow, touch: { read: ["./**"], write: ["./**"], delete: ["./**"] } }
`;
const SENTINEL = "sentinel-outside-the-workspace";
const SECRET = "secret-outside.txt";

type Result = Readonly<Record<string, unknown>> & { readonly kind?: string };
type Lines = readonly (string | Uint8Array)[];

/** All of it through the real program. */
async function batched(cli: Cli, lines: Lines): Promise<readonly Result[]> {
  const file = cli.put("../calls.jsonl", Buffer.concat(lines.flatMap((line) => [Buffer.from(line), NEWLINE])));
  const { code, out, err } = await cli.run(["batch", file]);
  expect([code, err]).toEqual([0, ""]);
  const results = out
    .split("\n")
    .slice(0, -1)
    .map((line): Result => JSON.parse(line));
  expect(results.length).toBe(lines.length);
  return results;
}

const NEWLINE = Buffer.from("\n");
const line = (tool: string, input: object, op: "call" | "explain" = "call") => JSON.stringify({ tool, input, op });

/** A15: read, write, list and delete with every payload as the path. */
export async function traverse(payloads: readonly string[]): Promise<{ completed: number; aimed: number }> {
  using cli = openCli(FILES_ALLOWED);
  const outside = join(dirname(cli.workspace), "outside");
  const secret = join(outside, SECRET);
  mkdirSync(outside);
  writeFileSync(secret, SENTINEL);
  cli.put("a/b/c/d.txt", "inside");
  const before = lookOf(outside);
  const paths = payloads.map((payload) => payload.replaceAll("{FILE}", secret.slice(1)));
  const results = await batched(
    cli,
    paths.flatMap((path) => [
      line("read_file", { path }),
      line("write_file", { path, content: "written" }),
      line("list_directory", { path, recursive: true, limit: 5 }),
      line("delete_file", { path }),
    ]),
  );
  for (const { content, structured } of results) {
    expect(JSON.stringify(content ?? null)).not.toContain(SENTINEL);
    expect(JSON.stringify(structured ?? null)).not.toContain(SECRET);
  }
  expect([lookOf(outside), readFileSync(secret, "utf8")]).toEqual([before, SENTINEL]);
  const plans = await batched(
    cli,
    paths.map((path) => line("read_file", { path }, "explain")),
  );
  const aimed = plans.filter(({ touches }) => JSON.stringify(touches).includes(JSON.stringify(secret))).length;
  return { completed: results.filter(({ kind }) => kind === "completed").length, aimed };
}

const lookOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const { ino, size, mtimeMs, ctimeMs, mode } = lstatSync(join(folder, name));
    return { name, ino, size, mtimeMs, ctimeMs, mode };
  });

/** Awkward strings through every text field of every file tool, and back byte for byte. */
export async function roundTrip(texts: readonly string[]): Promise<{ results: number; named: number }> {
  using cli = openCli(FILES_ALLOWED);
  for (const [n] of texts.entries()) cli.put(`edit-${n}`, "before OLD after");
  const perText = texts.map((text, n) => [
    line("write_file", { path: `write-${n}`, content: text }),
    line("read_file", { path: `write-${n}` }),
    line("edit_file", { path: `edit-${n}`, edits: [{ type: "replace", oldText: "OLD", newText: text }] }),
    line("edit_file", { path: `edit-${n}`, edits: [{ type: "replace", oldText: text || "none", newText: "NEW" }] }),
    line("apply_patch", { patch: `*** Begin Patch\n*** Add File: patch-${n}\n+${text}\n*** End Patch` }),
    line("read_file", { path: `patch-${n}` }),
    line("apply_patch", { patch: text }),
    line("list_directory", { path: ".", pattern: text, limit: 3 }),
    line("write_file", { path: text, content: `named ${n}` }),
    line("read_file", { path: text }),
    line("list_directory", { path: text, limit: 3 }),
    line("delete_file", { path: text }),
    line("read_file", { path: text, [text]: text }),
    line(text, { text }),
  ]);
  const results = await batched(cli, perText.flat());
  const width = perText[0]?.length ?? 0;
  let named = 0;
  for (const [n, text] of texts.entries()) {
    const of = (i: number) => results[n * width + i] ?? {};
    expect(of(1)).toMatchObject(text === "" ? { kind: "completed" } : read(text));
    if (text === "" || !text.includes("\n")) expect(of(5)).toMatchObject(read(`${text}\n`));
    expect(of(2)).toMatchObject({ kind: "completed", content: [{ newText: `before ${text} after` }, {}] });
    // What could be written under this name is what is read under it; and what is deleted is gone.
    if (of(8).kind === "completed") {
      named += 1;
      expect([of(9), of(11)]).toMatchObject([read(`named ${n}`), { kind: "completed" }]);
    } else expect(of(9).kind).not.toBe("completed");
    expect(of(13)).toMatchObject({ kind: "refused", tool: text, refusal: { code: "TOOL_UNKNOWN" } });
  }
  return { results: results.length, named };
}

const read = (text: string) => ({ kind: "completed", content: [{ type: "text", text }] });

export interface JsonCase {
  readonly name: string;
  readonly expect: "accept" | "reject" | "either-without-crash";
  readonly base64: string;
}

/** Bytes as lines: what is no JSON is refused as such, and what is gets further, which for most is not far. */
export async function parseAll(cases: readonly JsonCase[]): Promise<{ accepted: number; rejected: number }> {
  using cli = openCli(FILES_ALLOWED);
  const lines = cases.map(({ base64 }) => Buffer.from(base64, "base64"));
  const fit = cases.filter((_, i) => lines[i]?.includes(NEWLINE) === false && lines[i]?.length > 0);
  const results = await batched(
    cli,
    fit.flatMap(({ base64 }) => [
      Buffer.from(base64, "base64"),
      Buffer.concat([Buffer.from('{"tool":"none","input":'), Buffer.from(base64, "base64"), Buffer.from("}")]),
    ]),
  );
  const count = { accepted: 0, rejected: 0 };
  for (const [i, { name, expect: wanted }] of fit.entries()) {
    const [alone, inside] = results.slice(2 * i, 2 * i + 2).map(isJson);
    if (wanted === "accept") expect([name, alone, inside]).toEqual([name, true, true]);
    if (wanted === "reject") expect([name, alone]).toEqual([name, false]);
    count[alone ? "accepted" : "rejected"] += 1;
  }
  return count;
}

function isJson({ refusal }: Result): boolean {
  const { errors } = refusal as { errors?: readonly { rule: string }[] };
  return errors?.[0]?.rule !== "json";
}
