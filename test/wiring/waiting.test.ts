import { describe, expect, it } from "vitest";
import { Waiting } from "../../src/wiring/waiting.ts";
import { NEVER } from "../support/sample-calls.ts";

const cameTo = (come: Promise<unknown>): Promise<unknown> =>
  Promise.race([come, new Promise((resolve) => setImmediate(resolve, "nothing"))]);

describe("Waiting", () => {
  it("tells all who wait for an id, and nobody else", async () => {
    const waiting = new Waiting<string>();
    const [one, two, other] = ["a", "a", "b"].map((id) => waiting.until(id, NEVER));
    waiting.tell("a", "said");
    expect(await Promise.all([one, two, other].map((each) => cameTo(each?.come ?? Promise.reject())))).toEqual([
      { come: "said" },
      { come: "said" },
      "nothing",
    ]);
  });

  it("who has left is told nothing, and their signal is aborted, once", async () => {
    const waiting = new Waiting<string>();
    const [one, two] = [waiting.until("a", NEVER), waiting.until("a", NEVER)];
    let heard = 0;
    let unheard = 0;
    const gone = () => unheard++;
    one.signal.addEventListener("abort", () => heard++);
    one.signal.addEventListener("abort", gone);
    one.signal.removeEventListener("abort", gone);
    expect(one.signal.aborted).toBe(false);
    one.leave();
    one.leave();
    expect([one.signal.aborted, heard, unheard, two.signal.aborted]).toEqual([true, 1, 0, false]);
    waiting.tell("a", "said");
    expect([await cameTo(one.come), await cameTo(two.come)]).toEqual(["nothing", { come: "said" }]);
  });

  it("the signal aborts with the one that is given, also where that was before", () => {
    const waiting = new Waiting<string>();
    const controller = new AbortController();
    const one = waiting.until("a", controller.signal);
    let heard = 0;
    one.signal.addEventListener("abort", () => heard++);
    controller.abort();
    expect([one.signal.aborted, heard]).toEqual([true, 1]);
    expect(waiting.until("a", AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it("keeps whoever came while another one was leaving", async () => {
    const waiting = new Waiting<string>();
    const gone = waiting.until("a", NEVER);
    gone.leave();
    const late = waiting.until("a", NEVER);
    gone.leave();
    waiting.tell("a", "said");
    expect(await cameTo(late.come)).toEqual({ come: "said" });
  });
});
