import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { answerFromError } from "../../../src/tools/mcp/answer-from-error.ts";

const http = (status: number) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "no", { status, statusText: "no" });

describe("what went wrong with a request", () => {
  it.each([
    ["a session that is known no more", http(404), "has session", "session over"],
    ["404 of who has no sessions", http(404), "has none", { kind: "lost" }],
    ["401", http(401), "has none", { kind: "error", code: 401 }],
    ["500", http(500), "has session", { kind: "lost" }],
    ["an error that speaks of 404", new ProtocolError(-32_000, "x", { status: 404 }), "has session", { kind: "error" }],
    ["an answer of no known kind", new SdkError(SdkErrorCode.UnsupportedResultType, "x"), "has none", { kind: "bad" }],
    ["time that is over", new SdkError(SdkErrorCode.RequestTimeout, "x"), "has none", { kind: "lost" }],
    // Its code is a number, as those of JSON-RPC are.
    ["what was broken off here", new DOMException("stopped", "AbortError"), "has none", { kind: "lost" }],
    ["no error at all", {}, "has none", { kind: "lost" }],
  ] as const)("%s", (_, error, session, answer) => {
    const found = answerFromError(error, session);
    if (answer === "session over") expect(found).toBe(answer);
    else expect(found).toMatchObject(answer);
  });
});
