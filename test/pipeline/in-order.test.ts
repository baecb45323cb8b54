import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import { inOrder, type Work } from "../../src/pipeline/in-order.ts";
import { NEVER } from "../support/sample-calls.ts";

interface Job {
  readonly name: string;
  readonly touches: readonly Touch[];
}

const write = (name: string, path = `/w/${name}`): Job => ({ name, touches: [{ kind: "write", path }] });
const open = (name: string): Job => ({ name, touches: [{ kind: "unknown", reason: "" }] });

/** Jobs that go on until they are told to end, and a diary of what happened. */
function workshop(more: Partial<Work<Job, string>> = {}) {
  const diary: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  const work: Work<Job, string> = {
    concurrency: 4,
    signal: NEVER,
    foresee: async ({ name, touches }) => {
      diary.push(`foresee ${name}`);
      return touches;
    },
    make: async ({ name }, signal) => {
      diary.push(`begin ${name}`);
      const end = Promise.withResolvers<string>();
      running.set(name, end);
      signal.addEventListener("abort", () => end.resolve(`${name} cancelled`));
      if (signal.aborted) end.resolve(`${name} cancelled`);
      const result = await end.promise;
      running.delete(name);
      diary.push(`end ${name}`);
      return result;
    },
    ...more,
  };
  return {
    work,
    diary,
    running: () => [...running.keys()],
    end: async (name: string) => {
      running.get(name)?.resolve(name);
      await settled();
    },
  };
}

/** Everything that can happen without anybody's doing has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const collect = (iterable: AsyncIterable<string>): { readonly got: string[]; readonly all: Promise<string[]> } => {
  const got: string[] = [];
  const all = (async () => {
    for await (const each of iterable) got.push(each);
    return got;
  })();
  return { got, all };
};

describe("calls in order", () => {
  it("run side by side where they don't conflict, and their results come in their order", async () => {
    const { work, running, end } = workshop();
    const { got, all } = collect(inOrder([write("a"), write("b"), write("c")], work));
    await settled();
    expect(running()).toEqual(["a", "b", "c"]);
    await end("c");
    await end("b");
    expect(got).toEqual([]);
    await end("a");
    expect(await all).toEqual(["a", "b", "c"]);
  });

  it("run one after the other where they do", async () => {
    const { work, running, end } = workshop();
    const { all } = collect(inOrder([write("a", "/w/x"), write("b"), write("c", "/w/x/y"), write("d", "/w/x")], work));
    await settled();
    expect(running()).toEqual(["a", "b"]);
    await end("a");
    expect(running()).toEqual(["b", "c"]);
    await end("c");
    expect(running()).toEqual(["b", "d"]);
    await end("b");
    await end("d");
    expect(await all).toEqual(["a", "b", "c", "d"]);
  });

  it("are not even looked at while one runs of which nobody knows what it does", async () => {
    const { work, diary, end } = workshop();
    const { all } = collect(inOrder([open("a"), write("b")], work));
    await settled();
    expect(diary).toEqual(["foresee a", "begin a"]);
    await end("a");
    expect(diary).toEqual(["foresee a", "begin a", "end a", "foresee b", "begin b"]);
    await end("b");
    expect(await all).toEqual(["a", "b"]);
  });

  it("never run more than so many at a time", async () => {
    const { work, running, end } = workshop({ concurrency: 2 });
    const { all } = collect(
      inOrder(
        [..."abcde"].map((name) => write(name)),
        work,
      ),
    );
    for (const [name, now] of [
      ["a", ["a", "b"]],
      ["c", ["b", "c"]],
      ["b", ["b", "d"]],
      ["d", ["d", "e"]],
      ["e", ["e"]],
    ] as const) {
      await settled();
      expect(running()).toEqual(now);
      await end(name);
    }
    expect(await all).toEqual([..."abcde"]);
  });

  it("are taken in only as far as there is room", async () => {
    let taken = 0;
    function* endless() {
      for (;;) yield write(`n${taken++}`);
    }
    const { work } = workshop({ concurrency: 2, make: async ({ name }) => name });
    const results = inOrder(endless(), work);
    for (let i = 0; i < 100; i++) {
      expect((await results.next()).value).toBe(`n${i}`);
      await settled();
      expect(taken - i).toBeLessThanOrEqual(2 * 4 + 2);
    }
    await results.return();
    const before = taken;
    await settled();
    expect(taken).toBe(before);
  });

  it("come as they are ready while more are waited for", async () => {
    const { work } = workshop({ make: async ({ name }) => name });
    const second = Promise.withResolvers<Job>();
    async function* slow() {
      yield write("a");
      yield await second.promise;
    }
    const results = inOrder(slow(), work);
    expect((await results.next()).value).toBe("a");
    second.resolve(write("b"));
    expect([(await results.next()).value, (await results.next()).done]).toEqual(["b", true]);
  });

  it("of none are none", async () => expect(await Array.fromAsync(inOrder([], workshop().work))).toEqual([]));
});

describe("cancelling", () => {
  it("ends all that run, and all that wait for them", async () => {
    const stop = new AbortController();
    const { work, diary } = workshop({ signal: stop.signal });
    const { all } = collect(inOrder([write("a", "/w/x"), write("b"), write("c", "/w/x")], work));
    await settled();
    stop.abort();
    expect(await all).toEqual(["a cancelled", "b cancelled", "c cancelled"]);
    expect(diary.filter((line) => line.startsWith("end")).length).toBe(3);
  });

  it("who leaves early waits for nothing but the end of what runs", async () => {
    const { work, running, diary, end } = workshop();
    const results = inOrder([write("a"), write("b"), write("c", "/w/b"), write("d")], work);
    const first = results.next();
    await settled();
    await end("a");
    expect((await first).value).toBe("a");
    await results.return();
    expect(running()).toEqual([]);
    expect(diary.filter((line) => line.startsWith("begin")).length).toBe(
      diary.filter((line) => line.startsWith("end")).length,
    );
    expect((await results.next()).done).toBe(true);
  });

  it("who leaves does not wait for a source that says nothing", async () => {
    const { work } = workshop({ make: async ({ name }) => name });
    async function* silent() {
      yield write("a");
      await new Promise(() => {});
    }
    const results = inOrder(silent(), work);
    expect((await results.next()).value).toBe("a");
    await results.return();
  });

  it("nothing is begun that was being looked at when everybody left", async () => {
    const look = Promise.withResolvers<readonly Touch[]>();
    const { work, diary } = workshop({
      foresee: ({ name, touches }) => (name === "b" ? look.promise : Promise.resolve(touches)),
      make: async ({ name }) => {
        diary.push(name);
        return name;
      },
    });
    const results = inOrder([write("a"), write("b")], work);
    await results.next();
    await results.return();
    look.resolve([]);
    await settled();
    expect(diary).toEqual(["a"]);
  });
});

describe("what goes wrong", () => {
  it("a source that breaks is heard of once the calls before have ended", async () => {
    const { work } = workshop({ make: async ({ name }) => name });
    function* breaks() {
      yield write("a");
      throw new Error("broken source");
    }
    const got: string[] = [];
    const all = (async () => {
      for await (const each of inOrder(breaks(), work)) got.push(each);
    })();
    await expect(all).rejects.toThrow("broken source");
    expect(got).toEqual(["a"]);
  });

  it("a mistake in making one is heard of, and the rest is cancelled", async () => {
    const { work, running } = workshop();
    const make: typeof work.make = (job, signal) =>
      job.name === "b" ? Promise.reject(new Error("our mistake")) : work.make(job, signal);
    const results = inOrder([write("b"), write("a")], { ...work, make });
    await expect(results.next()).rejects.toThrow("our mistake");
    expect(running()).toEqual([]);
  });
});
