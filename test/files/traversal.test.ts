import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withCorpus } from "../support/parts.ts";
import { bytesOf, openScratch, type Scratch, SENTINEL, WHOLE } from "./scratch.ts";

interface Payload {
  readonly payload: string;
}

/** Side by side, because each new file waits for the disk. */
const AT_ONCE = 50;

/** The rule that stands in for the judge: only what lies below the workspace is touched. */
const isInside = (scratch: Scratch, path: string) => path.startsWith(`${scratch.workspace}/`);

withCorpus<Payload>("path_traversal.jsonl")("path traversal (A15)", (payloads) => {
  it("reads and writes nothing outside the workspace, and never throws", async () => {
    using scratch = openScratch();
    scratch.put("a/b/c/d.txt", "inside");
    const secret = join(scratch.outside, "secret.txt");
    const namesOutside = readdirSync(scratch.outside);
    let reached = 0;
    const attack = async ({ payload }: Payload) => {
      const located = await scratch.files.locate(payload.replaceAll("{FILE}", secret.slice(1)));
      if (!located.ok) return;
      const { path } = located.value;
      if (path === secret) reached += 1;
      if (!isInside(scratch, path)) return;
      const content = await scratch.files.read(path, WHOLE);
      if (content.ok) expect(Buffer.from(content.value).toString()).not.toContain(SENTINEL);
      await scratch.write(path, bytesOf("written"), null);
    };
    for (let i = 0; i < payloads.length; i += AT_ONCE) {
      await Promise.all(payloads.slice(i, i + AT_ONCE).map(attack));
    }
    expect(reached).toBeGreaterThan(0); // else the payloads were not aimed at the sentinel and prove nothing
    expect(readFileSync(secret, "utf8")).toBe(SENTINEL);
    expect(readdirSync(scratch.outside)).toEqual(namesOutside);
  });
});
