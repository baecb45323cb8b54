import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../src/rules/rule.ts";
import { PROVIDER_KEY } from "../formats/fake-provider.ts";
import { codeOf, openScratchGate } from "../support/scratch-gate.ts";
import { MAY_ASK } from "./inference-gate.ts";

const BUDGET = { tokens: 100 };

/** A provider that does with a connection what it is told, and an agent that may ask it once or twice. */
async function openSilent(scheme: "http" | "https", met: (socket: Socket) => void, rules: readonly RuleSource[] = []) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    met(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const one = {
    wire: "anthropic",
    url: `${scheme}://127.0.0.1:${address.port}`,
    models: ["m-1"],
    key: { secret: "KEY" },
    timeoutMs: 1000,
  };
  const scratch = openScratchGate({
    rules: [...rules, ...MAY_ASK],
    config: { tools: { builtin: ["inference"], inference: { providers: { one } } } },
    variables: { KEY: PROVIDER_KEY },
  });
  const opened = await scratch.gate.sessions.open({ tools: "everything", models: ["*"], budget: BUDGET });
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { session } = opened;
  const input = { provider: "one", model: "m-1", prompt: "hi", max_tokens: 20 };
  const infer = async (signal?: AbortSignal) => {
    const call = { tool: "infer", input, session, actor: `session:${session.id}` };
    return codeOf(await scratch.gate.call(call, signal === undefined ? {} : { signal }));
  };
  return {
    infer,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

const answers = (head: string) => (socket: Socket) =>
  void socket.once("data", () => socket.write(`HTTP/1.1 ${head}\r\ncontent-length: 1000\r\n\r\n{`));

describe("a budget is not used up by a question", () => {
  it("that was not sent in time", async () => {
    await using opened = await openSilent("https", () => {});
    expect([await opened.infer(), await opened.infer()]).toEqual(["TIMEOUT", "TIMEOUT"]);
  });

  it("that was taken back before it was sent", async () => {
    const stops = [new AbortController(), new AbortController()];
    let met = 0;
    await using opened = await openSilent("https", () => stops[met++]?.abort());
    const codes = [await opened.infer(stops[0]?.signal), await opened.infer(stops[1]?.signal)];
    expect(codes).toEqual(["CANCELLED", "CANCELLED"]);
  });

  it("to a host that a rule keeps closed", async () => {
    const closed: RuleSource = { id: "closed", effect: "deny", touch: { connect: ["127.0.0.1:*"] } };
    await using opened = await openSilent("http", () => {}, [closed]);
    expect([await opened.infer(), await opened.infer()]).toEqual(["EGRESS_BLOCKED", "EGRESS_BLOCKED"]);
  });

  it("that was refused, and the refusal does not end", async () => {
    await using opened = await openSilent("http", answers("400 Bad Request"));
    expect([await opened.infer(), await opened.infer()]).toEqual(["MODEL_REFUSED", "MODEL_REFUSED"]);
  });
});

describe("an answer that has begun and does not end", () => {
  it("is not known, whoever gives up, and takes all that was held", async () => {
    await using late = await openSilent("http", answers("200 OK"));
    expect([await late.infer(), await late.infer()]).toEqual(["OUTCOME_UNKNOWN", "BUDGET_EXCEEDED"]);
    const stop = new AbortController();
    await using stopped = await openSilent("http", (socket) => {
      answers("200 OK")(socket);
      socket.once("data", () => setImmediate(() => stop.abort()));
    });
    expect([await stopped.infer(stop.signal), await stopped.infer()]).toEqual(["OUTCOME_UNKNOWN", "BUDGET_EXCEEDED"]);
  });
});
