import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import type { FileChange, FileResult } from "../../src/ports/files.ts";
import { failingCalls } from "./failing-calls.ts";
import { bytesOf, openScratch, type Scratch } from "./scratch.ts";

const OLD = { "a.txt": "old a", "gone.txt": "old gone", "z.txt": "old z" };
const NEW = { "a.txt": "new a", "b.txt": "new b", "z.txt": "new z" };

/** Two files change, one is new, one goes away. */
async function fourChanges(scratch: Scratch): Promise<readonly FileChange[]> {
  for (const [name, text] of Object.entries(OLD)) scratch.put(name, text);
  const change = async (name: string, before: string | null, after: string | null): Promise<FileChange> => ({
    path: await scratch.checked(name),
    before: before === null ? null : digestOfText(before),
    content: after === null ? null : bytesOf(after),
  });
  return [
    await change("a.txt", "old a", "new a"),
    await change("gone.txt", "old gone", null),
    await change("b.txt", null, "new b"),
    await change("z.txt", "old z", "new z"),
  ];
}

const contents = (scratch: Scratch): Record<string, string> =>
  Object.fromEntries(scratch.names().map((name) => [name, scratch.text(name)]));

const messageOf = (result: FileResult<null>): string => (result.ok ? "ok" : result.fault.message);

/** How many calls a change makes that nothing disturbs. */
async function callsOfChange(): Promise<number> {
  using scratch = openScratch();
  const changes = await fourChanges(scratch);
  using calls = failingCalls({ call: 0 });
  expect(await scratch.files.change(changes)).toEqual({ ok: true, value: null });
  expect(contents(scratch)).toEqual(NEW);
  return calls.count();
}

/** A name that is left over is told of; the files themselves are what counts. */
const withoutLeftOvers = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith(".toolgate-")));

describe("publishing several files", () => {
  it("is all or nothing, whichever system call fails", async () => {
    const seen = new Set<string>();
    for (let call = 1; call <= (await callsOfChange()); call += 1) {
      using scratch = openScratch();
      const changes = await fourChanges(scratch);
      let result: FileResult<null>;
      {
        using _failing = failingCalls({ call });
        result = await scratch.files.change(changes);
      }
      const now = contents(scratch);
      const message = messageOf(result);
      if (result.ok || message.startsWith("everything was changed")) expect(withoutLeftOvers(now)).toEqual(NEW);
      else expect(now).toEqual(OLD);
      if (message.startsWith("everything")) expect(message).toContain("a second name of `");
      seen.add(message.startsWith("everything") ? "changed, something is left" : result.ok ? "changed" : "unchanged");
    }
    expect([...seen].sort()).toEqual(["changed", "changed, something is left", "unchanged"]);
  });

  it("names what could not be put back, when that fails as well", async () => {
    using scratch = openScratch();
    const changes = await fourChanges(scratch);
    let result: FileResult<null>;
    {
      // a: link, rename; b: link; z: link — and from there on nothing works any more.
      using _failing = failingCalls({ call: 4, times: "for ever" });
      result = await scratch.files.change(changes);
    }
    expect(result).toMatchObject({ fault: { code: "IO_ERROR" } });
    expect(messageOf(result)).toBe(
      "`z.txt` could not be read or written; `b.txt`, `a.txt` had been changed by then and could not be put back",
    );
    expect(withoutLeftOvers(contents(scratch))).toEqual({ ...OLD, "a.txt": "new a", "b.txt": "new b" });
  });

  it("says that nothing was changed, when everything could be put back", async () => {
    using scratch = openScratch();
    const changes = await fourChanges(scratch);
    using _failing = failingCalls({ call: 4 });
    expect(messageOf(await scratch.files.change(changes))).toBe(
      "`z.txt` could not be read or written; nothing was changed",
    );
  });
});
