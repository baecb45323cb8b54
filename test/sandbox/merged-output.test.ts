import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { OutputChunk } from "../../src/ports/sandbox.ts";
import { listenToBoth } from "../../src/sandbox/merged-output.ts";

const textOf = ({ from, bytes }: OutputChunk): string => `${from} ${Buffer.from(bytes)}`;

it("tells both outputs until both have ended", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const told = listenToBoth(stdout, stderr, (chunk) => void heard.push(textOf(chunk)));
  stdout.end("a");
  stderr.end("b");
  await told;
  expect(heard.toSorted()).toEqual(["stderr b", "stdout a"]);
});

it("tells no more of an output while somebody is busy with it", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const busy = Promise.withResolvers<void>();
  const told = listenToBoth(stdout, stderr, (chunk) => {
    heard.push(textOf(chunk));
    return heard.length === 1 ? busy.promise : undefined;
  });
  stdout.write("a");
  await expect.poll(() => heard).toEqual(["stdout a"]);
  stdout.end("b");
  stderr.end("c");
  await expect.poll(() => heard).toEqual(["stdout a", "stderr c"]);
  busy.resolve();
  await told;
  expect(heard).toEqual(["stdout a", "stderr c", "stdout b"]);
});

it("is over for outputs that were gone before", async () => {
  const gone = () => new PassThrough().destroy();
  await listenToBoth(gone(), gone(), () => {});
});
