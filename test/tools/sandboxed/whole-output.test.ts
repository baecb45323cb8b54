import { describe, expect, it } from "vitest";
import { type Keep, WholeOutput } from "../../../src/tools/sandboxed/whole-output.ts";

const bytes = (text: string) => Buffer.from(text);

/** What was kept, and when. */
function keeper() {
  const texts: string[] = [];
  const keep: Keep = async (content) => {
    for await (const part of content) texts.push(Buffer.from(part).toString());
    return "hash";
  };
  return { keep, text: () => texts.join("") };
}

describe("all that a program prints", () => {
  it("is not kept where all of it is shown", async () => {
    const { keep, text } = keeper();
    using whole = new WholeOutput(keep);
    whole.push(bytes("short"));
    expect([await whole.end(), text(), whole.bytes]).toEqual([null, "", 5]);
  });

  it("is kept from its start, also where that was printed before anybody knew", async () => {
    const { keep, text } = keeper();
    using whole = new WholeOutput(keep);
    for (const part of ["one ", "two "]) whole.push(bytes(part));
    whole.begin();
    for (const part of ["", "three ", "four"]) {
      whole.push(bytes(part));
      whole.begin();
      await new Promise(setImmediate);
    }
    expect([await whole.end(), text(), whole.bytes]).toEqual(["hash", "one two three four", 18]);
  });

  it("holds up who prints while much of it waits, and no longer", async () => {
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    using whole = new WholeOutput(async (content) => {
      await slow;
      for await (const _ of content);
      return "hash";
    });
    whole.begin();
    whole.push(Buffer.alloc(2 * 1024 * 1024));
    expect(whole.isBehind).toBe(true);
    const ready = whole.ready();
    resolve();
    await ready;
    expect([whole.isBehind, await whole.end()]).toEqual([false, "hash"]);
  });

  it("that can't be kept holds up nobody", async () => {
    using whole = new WholeOutput(async (content) => {
      for await (const _ of content) break;
      return null;
    });
    whole.begin();
    for (let i = 0; i < 5; i++) {
      whole.push(Buffer.alloc(1024 * 1024));
      await whole.ready();
    }
    expect([whole.isBehind, await whole.end()]).toEqual([false, null]);
  });

  it("that can't even be begun to be kept holds up nobody, and is not held", async () => {
    using whole = new WholeOutput(async () => null);
    whole.begin();
    whole.push(Buffer.alloc(2 * 1024 * 1024));
    const waited = await Promise.race([whole.ready().then(() => "went on"), new Promise(setImmediate)]);
    expect([waited, whole.isBehind, await whole.end()]).toEqual(["went on", false, null]);
  });

  it("ends where who prints is given up", async () => {
    const { keep, text } = keeper();
    let kept: Promise<string | null> | null = null;
    {
      using whole = new WholeOutput((content) => {
        kept = keep(content);
        return kept;
      });
      whole.push(bytes("half"));
      whole.begin();
    }
    expect([await kept, text()]).toEqual(["hash", "half"]);
  });
});
