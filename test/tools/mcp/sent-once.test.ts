import { describe, expect, it } from "vitest";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { call, gateFor, isModern, openUpstream } from "./http-set-up.ts";

/** Answers calls, and nothing else, in the place of the fixture. */
async function answering(era: "2025" | "2026", answer: (id: unknown) => Response) {
  const calls: unknown[] = [];
  const before = async (request: Request) => {
    if (era === "2025" && isModern(request)) return Response.json({ error: "what is this" }, { status: 400 });
    if (request.method !== "POST") return null;
    const { id, method, params } = (await request.clone().json()) as Record<string, unknown>;
    if (method !== "tools/call") return null;
    calls.push(params);
    return answer(id);
  };
  const upstream = await openUpstream("stateless", before, era === "2025" ? "one" : undefined);
  return Object.assign(upstream, { calls });
}

const error = (code: number, data?: object) => (id: unknown) =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message: "no such issue", data } });

describe("INVARIANT (sent once): a call goes to an upstream by HTTP once", () => {
  it("whatever it says of headers, for which the SDK would send it again", async () => {
    await using upstream = await answering("2026", error(-32_020));
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("TOOL_FAILED");
    expect(upstream.calls).toHaveLength(1);
  });

  it("also where it asks for nothing but to be called again", async () => {
    const again = (id: unknown) => {
      const result = { resultType: "input_required", requestState: "once more" };
      return Response.json({ jsonrpc: "2.0", id, result });
    };
    await using upstream = await answering("2026", again);
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("BAD_RESPONSE");
    expect(upstream.calls).toHaveLength(1);
  });

  it.each([404, 401, 403])("and an answer that speaks of a status %d is an answer", async (status) => {
    await using upstream = await answering("2025", error(-32_000, { status }));
    await using scratch = gateFor(upstream.url);
    const failed = asKind(await call(scratch, "up_echo"), "failed");
    expect(failed.error).toMatchObject({ code: "TOOL_FAILED", retryable: false });
    expect(failed.error.message).toContain("(-32000): no such issue");
    expect(upstream.calls).toHaveLength(1);
  });

  it.each([307, 308] as const)("and not where it is sent on to, on the same host, by a %d", async (status) => {
    for (const era of ["2025", "2026"] as const) {
      const headers = { Location: "/mcp" };
      await using upstream = await answering(era, () => new Response(null, { status, headers }));
      await using scratch = gateFor(upstream.url);
      expect(codeOf(await call(scratch, "up_echo"))).toBe("OUTCOME_UNKNOWN");
      expect(upstream.calls).toHaveLength(1);
    }
  });

  it("and one that wants more rights has failed, and says so", async () => {
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="write"' };
    await using upstream = await answering("2026", () => new Response(null, { status: 403, headers }));
    await using scratch = gateFor(upstream.url);
    const failed = asKind(await call(scratch, "up_echo"), "failed");
    expect(failed.error).toMatchObject({ code: "TOOL_FAILED", message: expect.stringContaining("(403)") });
  });
});
