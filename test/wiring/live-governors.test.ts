// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write into the file

import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { LiveGovernors } from "../../src/wiring/live-governors.ts";
import { loaded, openScratch } from "../config/scratch.ts";
import { openGovernorScratch } from "../tools/governor/governor-ports.ts";

const VARIABLES = { TOKEN: "s3cret-of-the-gate", OTHER: "0ther-secret-value" };

const http = (id: string, authorization: string): JsonObject => ({
  ...{ id, type: "http", url: "https://gov.example/" },
  headers: { authorization },
});

function configWith(governors: readonly JsonObject[], settings: JsonObject = {}) {
  using scratch = openScratch();
  scratch.put("governors.yaml", JSON.stringify({ permission_governors: governors, settings }));
  return loaded(loadConfig({ path: scratch.put("toolgate.yaml", "governors: governors.yaml"), variables: VARIABLES }));
}

function open(...governors: readonly JsonObject[]) {
  using scratch = openGovernorScratch();
  const functions = [{ id: "own", ask: () => ({ status: "approve" }) as const }];
  const live = new LiveGovernors({ ...scratch.parts, config: configWith(governors), functions });
  return { live, ids: async () => (await live.current())?.governors.map(({ id }) => id) };
}

describe("governors follow their file", () => {
  it("when they take over, and not before; those of the program stay", async () => {
    const { live, ids } = open(http("a", "${TOKEN}"));
    expect(await ids()).toEqual(["a", "own"]);
    const takeOver = live.prepare(
      configWith([http("b", "x ${TOKEN}"), http("c", "y")], { stop_on_first_reject: true }),
    );
    expect(await ids()).toEqual(["a", "own"]);
    if (typeof takeOver === "string") throw new Error(takeOver);
    takeOver();
    expect(await ids()).toEqual(["b", "c", "own"]);
    expect((await live.current())?.stopOnFirstReject).toBe(true);
  });

  it("and are the same while it is", () => {
    const { live } = open(http("a", "${TOKEN}"));
    const before = live.current();
    const takeOver = live.prepare(configWith([http("a", "${TOKEN}")]));
    if (typeof takeOver === "string") throw new Error(takeOver);
    takeOver();
    expect(live.current()).toBe(before);
  });

  it.each<[string, JsonObject, RegExp]>([
    ["a secret that nobody knows how to redact", http("a", "${OTHER}"), /^a governor has a new secret/],
    ["the name of one of the program's", http("own", "x"), /^there are two governors called `own`$/],
  ])("but not with %s", async (_, governor, message) => {
    const { live, ids } = open(http("a", "${TOKEN}"));
    expect(live.prepare(configWith([governor]))).toMatch(message);
    expect(await ids()).toEqual(["a", "own"]);
  });

  it("and no two have one name", () => {
    using scratch = openGovernorScratch();
    const own = { id: "own", ask: () => ({ status: "approve" }) as const };
    const opened = (governors: readonly JsonObject[], functions: (typeof own)[]) => () =>
      new LiveGovernors({ ...scratch.parts, config: configWith(governors), functions });
    expect(opened([], [own, own])).toThrow("there are two governors called `own`");
    expect(opened([http("own", "x")], [own])).toThrow("there are two governors called `own`");
    expect(opened([http("a", "x")], [own])).not.toThrow();
  });

  it("of which none are made where there are none", () => {
    using scratch = openGovernorScratch();
    expect(new LiveGovernors({ ...scratch.parts, config: configWith([]), functions: [] }).current()).toBe(null);
  });
});
