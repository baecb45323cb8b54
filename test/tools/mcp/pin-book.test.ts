import { describe, expect, it } from "vitest";
import type { UpstreamTool } from "../../../src/domain/upstream.ts";
import type { Pins } from "../../../src/ports/pins.ts";
import { PinBook } from "../../../src/tools/mcp/pin-book.ts";
import { handClock } from "../../support/hand-clock.ts";

const TOOL: UpstreamTool = { name: "a", description: "does a", inputSchema: { type: "object" } };

/** A book whose ledger takes its time, as ledgers do. */
function openBook(held: string | null = null) {
  let kept: Pins | null = null;
  const noted: [string, unknown][] = [];
  const book = new PinBook({
    clock: handClock(),
    pins: {
      read: () => kept,
      write: (_, pins) => {
        kept = JSON.parse(JSON.stringify(pins)) as Pins;
      },
      alone: async (_, step) => (held === null ? { ok: true, value: await step() } : { ok: false, reason: held }),
    },
    note: async (kind, body) => {
      noted.push([kind, body]);
      await new Promise(setImmediate);
      return null;
    },
    upstream: "up",
    holds: "tools",
    flags: () => () => [],
    onChange: () => {},
    onFault: () => {},
  });
  const see = (...listed: UpstreamTool[]) => book.compare({ listed, malformed: [] }, []);
  return { book, see, noted, kept: () => kept ?? {} };
}

describe("what is pinned, by two at once", () => {
  it("is what was seen first, and what differs is beside it", async () => {
    const { see, noted, kept } = openBook();
    await Promise.all([see(TOOL), see({ ...TOOL, description: "does b" })]);
    expect(noted.map(([kind]) => kind)).toEqual(["upstream.pinned", "upstream.changed"]);
    expect(kept()["a"]).toMatchObject({ definition: TOOL, changed: { definition: { description: "does b" } } });
  });

  it("is accepted, whatever else is seen meanwhile", async () => {
    const { book, see, kept } = openBook();
    await see(TOOL);
    await see({ ...TOOL, description: "does b" });
    const digest = kept()["a"]?.changed?.digest ?? "";
    const other = { ...TOOL, name: "b" };
    await Promise.all([
      see({ ...TOOL, description: "does b" }, other),
      book.accept([{ name: "a", digest }], "ann"),
      see({ ...TOOL, description: "does b" }, other),
    ]);
    expect(kept()["a"]).toMatchObject({ digest, accepted: { by: "ann" } });
    expect(kept()["a"]).not.toHaveProperty("changed");
    expect(Object.keys(kept())).toEqual(["a", "b"]);
  });
});

it("tells the ledger what was accepted, by any name that an object may have of its own", async () => {
  const { book, see, noted, kept } = openBook();
  const odd = { ...TOOL, name: "__proto__" };
  await see(odd);
  const [pin] = Object.values(kept());
  expect(await book.accept([{ name: "__proto__", digest: pin?.digest ?? "" }], "ann")).toEqual(["__proto__"]);
  expect(JSON.stringify(noted.at(-1))).toContain(`"__proto__":{"from":"${pin?.digest}"`);
});

it("pins nothing and tells the ledger nothing while another process is at it", async () => {
  const { see, noted, kept } = openBook("another process is at it");
  const message = "what is pinned of it can't be changed now (another process is at it)";
  expect(await see(TOOL)).toEqual({ code: "LEDGER_UNAVAILABLE", message, hint: "try again" });
  expect([noted, kept()]).toEqual([[], {}]);
});
