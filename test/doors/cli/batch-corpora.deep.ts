import { expect, it } from "vitest";
import { withCorpus } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { roundTrip, traverse } from "./batch-corpora.ts";
import { CONFIG } from "./configs.ts";

withCorpus<{ payload: string }>("path_traversal.jsonl")("path traversal through `toolgate batch` (A15)", (cases) => {
  it("gets nowhere with all payloads", async () => {
    const { completed, aimed } = await traverse(cases.map(({ payload }) => payload));
    expect([completed > 0, aimed > 0]).toEqual([true, true]);
    process.stdout.write(`${4 * cases.length} calls, ${completed} completed inside, ${aimed} payloads aimed at it\n`);
  });
});

withCorpus<{ text: string }>("blns.jsonl")("awkward strings through `toolgate batch`", (cases) => {
  it("come back byte for byte, all of them", async () => {
    const { results, named } = await roundTrip(cases.map(({ text }) => text));
    process.stdout.write(`${results} calls, ${named} strings were names of files\n`);
  });
});

it("a million lines in 32 MB of heap", async () => {
  using cli = openCli(CONFIG);
  const child = cli.start(["batch", "-"], { env: { NODE_OPTIONS: "--max-old-space-size=32" } });
  const line = Buffer.from(`${JSON.stringify({ tool: "list_directory", input: { path: "." }, op: "explain" })}\n`);
  const thousand = Buffer.concat(Array(1000).fill(line));
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines++;
  });
  child.stderr.pipe(process.stderr);
  const ended = new Promise((resolve) => child.once("close", resolve));
  for (let i = 0; i < 1000; i++) {
    if (!child.stdin.write(thousand)) await new Promise((resolve) => child.stdin.once("drain", resolve));
  }
  child.stdin.end();
  expect([await ended, lines]).toEqual([0, 1_000_000]);
});
