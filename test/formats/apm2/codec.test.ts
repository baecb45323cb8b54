import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DecodeError,
  decodeToolRequest,
  decodeToolResponse,
  encodeToolRequest,
  encodeToolResponse,
} from "../../../src/formats/apm2/codec.ts";
import type { ToolRequest, ToolResponse } from "../../../src/formats/apm2/messages.ts";
import { request, tool } from "./requests.ts";

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const HEAD = "0a077265712d303031120b73657373696f6e2d616263";

// Written by another implementation of Protocol Buffers, from `proto/apm2/tool/v1/tool.proto`.
const REQUESTS: readonly (readonly [name: string, hex: string, request: ToolRequest])[] = [
  [
    "a read",
    `${HEAD}52180a162f776f726b73706163652f7372632f6d61696e2e7273`,
    request(tool("file_read", { path: "/workspace/src/main.rs" })),
  ],
  [
    "a command",
    "0a077265712d303032120b73657373696f6e2d6162636a510a14636172676f2074657374202d2d72656c65617365120a2f776f726b737061636518e0a7122a10525553545f4241434b54524143453d312a17434152474f5f5445524d5f434f4c4f523d616c77617973",
    request(
      tool("shell_exec", {
        command: "cargo test --release",
        cwd: "/workspace",
        timeout_ms: 300_000n,
        env: ["RUST_BACKTRACE=1", "CARGO_TERM_COLOR=always"],
      }),
      { request_id: "req-002" },
    ),
  ],
  [
    "an artifact",
    "0a077265712d303033120b73657373696f6e2d6162638201630a10746573742d726573756c74732d303031122007070707070707070707070707070707070707070707070707070707070707071a0c746573745f726573756c7473220c666f726d61743d6a756e6974221173756974653d696e746567726174696f6e",
    request(
      tool("artifact_publish", {
        artifact_id: "test-results-001",
        content_hash: bytes(7),
        category: "test_results",
        metadata: ["format=junit", "suite=integration"],
      }),
      { request_id: "req-003" },
    ),
  ],
  [
    "a fetch of an artifact",
    `${HEAD}8a012d0a01611a200101010101010101010101010101010101010101010101010101010101010101200a2a0474657874`,
    request(tool("artifact_fetch", { stable_id: "a", expected_hash: bytes(1), max_bytes: 10n, format: "text" })),
  ],
  [
    "a write",
    `${HEAD}1a016b5a0e0a06c3a42e747874120200ff1801`,
    request(tool("file_write", { path: "ä.txt", content: Uint8Array.of(0, 255), create_only: true }), {
      dedupe_key: "k",
    }),
  ],
  [
    "an inference",
    `${HEAD}7a2e0a017012016d1a20010101010101010101010101010101010101010101010101010101010101010120c0843d2846`,
    request(tool("inference", { prompt_hash: bytes(1), max_tokens: 1_000_000n, temperature_scaled: 70 })),
  ],
  [
    "a git operation",
    `${HEAD}720e0a034c4f4712022d6e12001a012e`,
    request(tool("git_op", { operation: "LOG", args: ["-n", ""], cwd: "." })),
  ],
  ["an empty edit", `${HEAD}6200`, request(tool("file_edit", { path: "", old_content: "" }))],
  ["no tool", HEAD, request(null)],
];

const RESPONSES: readonly (readonly [name: string, hex: string, response: ToolResponse])[] = [
  [
    "a success",
    "0a017212330a20020202020202020202020202020202020202020202020202020202020202020212026f6b180120ffffffffffffffffff01",
    {
      request_id: "r",
      result: {
        kind: "success",
        value: {
          result_hash: bytes(2),
          inline_result: Uint8Array.from(Buffer.from("ok")),
          budget_consumed: 1n,
          duration_ms: 2n ** 64n - 1n,
        },
      },
    },
  ],
  [
    "a denial",
    "0a01721a1a0a016112115348454c4c5f455845435f44454e4945441a026e6f",
    {
      request_id: "r",
      result: { kind: "denied", value: { rule_id: "a", rationale_code: "SHELL_EXEC_DENIED", message: "no" } },
    },
  ],
  [
    "an error",
    "0a017222110a0754494d454f555412016d180120e807",
    {
      request_id: "r",
      result: {
        kind: "error",
        value: { error_code: "TIMEOUT", message: "m", retryable: true, retry_after_ms: 1000n },
      },
    },
  ],
];

const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const toHex = (given: Uint8Array): string => Buffer.from(given).toString("hex");

function errorsOf(hex: string): DecodeError {
  try {
    decodeToolRequest(fromHex(hex));
  } catch (error) {
    if (error instanceof DecodeError) return error;
  }
  throw new Error("it was decoded");
}

describe("the bytes of a request", () => {
  it.each(REQUESTS)("are those of every other implementation: %s", (_, hex, message) => {
    expect(toHex(encodeToolRequest(message))).toBe(hex);
    expect(decodeToolRequest(fromHex(hex))).toEqual(message);
  });

  it("come back as they were", () => {
    const text = fc.string({ unit: "grapheme" });
    const big = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(text, text, big, fc.boolean(), fc.array(text), (command, cwd, timeout_ms, network_access, env) => {
        const message = request(tool("shell_exec", { command, cwd, timeout_ms, network_access, env }));
        const encoded = encodeToolRequest(message);
        expect(decodeToolRequest(encoded)).toEqual(message);
        expect(encodeToolRequest(decodeToolRequest(encoded))).toEqual(encoded);
      }),
      { numRuns: 200 },
    );
  });

  it("never make anything but a message or a decode error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (given) => {
        try {
          decodeToolRequest(given);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["two tools", `${HEAD}5200${"6200"}`, "tool", "mutually_exclusive"],
    ["the same tool twice", `${HEAD}52005200`, "tool", "mutually_exclusive"],
    ["a field of a later version", `${HEAD}2001`, "4", "format"],
    ["a tool of a later version", `${HEAD}920100`, "18", "format"],
    ["a field that a tool has not", `${HEAD}52022001`, "file_read.4", "format"],
    ["fields of other lengths", `${HEAD}39${"00".repeat(8)}`, "7", "format"],
    ["fields of other lengths", `${HEAD}3d${"00".repeat(4)}`, "7", "format"],
    ["a message that breaks off", `${HEAD}5205`, "", "format"],
    ["a number that breaks off", `${HEAD}520210ff`, "", "format"],
    ["a number that is too long", `${HEAD}520c10${"ff".repeat(10)}01`, "", "format"],
    ["a number over 64 bits", `${HEAD}520b10${"ff".repeat(9)}7f`, "", "format"],
    ["a text that is none", "0a01ff", "", "format"],
    ["a text where a number is", `${HEAD}52021200`, "", "format"],
    ["a number where a tool is", `${HEAD}5001`, "", "format"],
    ["a group", `${HEAD}3b`, "", "format"],
    ["the tag 0", `${HEAD}00`, "", "format"],
    ["more than 32 bits", `${HEAD}7a0628ffffffff1f`, "", "format"],
  ])("are refused: %s", (_, hex, field, rule) => {
    const { errors } = errorsOf(hex);
    expect(errors.map((error) => [error.field, error.rule])).toEqual([[field, rule]]);
  });

  it("are told all at once, up to a hundred, with the id that could be read", () => {
    const { errors, requestId, message } = errorsOf(`${HEAD}2001${"2801".repeat(3)}5200${"6200"}`);
    expect(requestId).toBe("req-001");
    expect(errors.map(({ field }) => field)).toEqual(["4", "5", "5", "5", "tool"]);
    expect(message).toContain("`file_read` and `file_edit`");
    expect(errorsOf(`${HEAD}${"2001".repeat(5000)}`).errors).toHaveLength(100);
    expect(errorsOf(`${HEAD}52904e${"2001".repeat(5000)}`).errors).toHaveLength(100);
  });

  it("are read no further than to so many fields, which a message of two bytes each has millions of", () => {
    // The last field would break off: who reads that far says so.
    const tooMany = "a message has at most 4000 fields";
    expect(errorsOf(`${"0a00".repeat(4000)}0a05`).message).toBe(tooMany);
    expect(errorsOf(`6a${"c43e"}${"2a00".repeat(4001)}0a00`).message).toBe(tooMany);
    expect(errorsOf(`6a${"c43e"}${"2000".repeat(4001)}0a00`).message).toBe(tooMany);
    expect(decodeToolRequest(fromHex("0a00".repeat(4000)))).toEqual(
      request(null, { request_id: "", session_token: "" }),
    );
    const { tool: read } = decodeToolRequest(fromHex(`6ac03e${"2a00".repeat(4000)}`));
    expect(read).toMatchObject({ kind: "shell_exec", value: { env: { length: 4000 } } });
  });

  it("hold no half characters", () => {
    expect(() => encodeToolRequest(request(tool("file_read", { path: "\ud800" })))).toThrow("half a character");
    expect(() => encodeToolRequest(request(tool("file_read", { limit: -1n })))).toThrow("64 bits");
  });
});

describe("the bytes of a response", () => {
  it.each(RESPONSES)("are those of every other implementation: %s", (_, hex, message) => {
    expect(toHex(encodeToolResponse(message))).toBe(hex);
    expect(decodeToolResponse(fromHex(hex))).toEqual(message);
  });

  it("may have no result", () => {
    expect(decodeToolResponse(fromHex("0a0172"))).toEqual({ request_id: "r", result: null });
  });
});
