import { describe, expect, it } from "vitest";
import { GIT_OPERATIONS } from "../../../src/domain/git-operations.ts";
import type { ToolRequest } from "../../../src/formats/apm2/messages.ts";
import { validateToolRequest } from "../../../src/formats/apm2/validate.ts";
import { request, tool } from "./requests.ts";

const MB = 1024 * 1024;
const found = (given: ToolRequest) => validateToolRequest(given).map(({ field, rule }) => [field, rule]);
const read = tool("file_read");
const long = (length: number): string => "x".repeat(length);
const items = (count: number, item: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe("a request", () => {
  // Each border from its good side.
  it.each<[string, ToolRequest]>([
    ["INV-0001", request(read, { request_id: "ä".repeat(256) })],
    ["INV-0001, in characters and not in code units", request(read, { request_id: "😀".repeat(256) })],
    ["INV-0002", request(read, { session_token: long(256) })],
    ["INV-0003", request(read, { dedupe_key: long(256) })],
    ["INV-0005", request(tool("file_read", { path: long(4096) }))],
    ["INV-0007", request(tool("file_read", { path: "a..b/...c/..d" }))],
    ["INV-0008", request(tool("file_read", { limit: 1_073_741_824n }))],
    ["INV-0011", request(tool("file_write", { content: new Uint8Array(100 * MB) }))],
    ["INV-0012, one", request(tool("file_write", { create_only: true }))],
    ["INV-0012, the other", request(tool("file_write", { append: true }))],
    ["INV-0014, 0015", request(tool("file_edit", { old_content: long(10 * MB), new_content: long(10 * MB) }))],
    ["INV-0016", request(tool("shell_exec", { command: long(MB) }))],
    ["INV-0017", request(tool("shell_exec", { cwd: long(4096) }))],
    ["INV-0018", request(tool("shell_exec", { timeout_ms: 3_600_000n }))],
    ["INV-0019", request(tool("shell_exec", { env: items(1000, (index) => `K${index}=v`) }))],
    ["INV-0020", request(tool("shell_exec", { env: [`K=${long(32 * 1024 - 2)}`, "L="] }))],
    ...GIT_OPERATIONS.map((operation): [string, ToolRequest] => [
      `INV-0021 ${operation}`,
      request(tool("git_op", { operation })),
    ]),
    ["INV-0022", request(tool("git_op", { args: items(1000, () => "a") }))],
    ["INV-0023", request(tool("git_op", { args: [long(32 * 1024)] }))],
    ["INV-0028", request(tool("inference", { max_tokens: 1_000_000n }))],
    ["INV-0029", request(tool("inference", { system_prompt_hash: new Uint8Array(32) }))],
    ["INV-0033", request(tool("artifact_publish", { metadata: items(1000, (index) => `K${index}=v`) }))],
    ["a fetch by name", request(tool("artifact_fetch", { stable_id: long(256), max_bytes: 104_857_600n }))],
    ["a fetch by content", request(tool("artifact_fetch", { stable_id: "", content_hash: new Uint8Array(32) }))],
    ["a fetch as text", request(tool("artifact_fetch", { expected_hash: new Uint8Array(32), format: "text" }))],
  ])("is valid: %s", (_, given) => {
    expect(found(given)).toEqual([]);
  });

  // And from the other.
  it.each<[string, ToolRequest, [string, string]]>([
    ["INV-0001", request(read, { request_id: "" }), ["request_id", "required"]],
    ["INV-0001", request(read, { request_id: long(257) }), ["request_id", "max_length"]],
    ["INV-0002", request(read, { session_token: "" }), ["session_token", "required"]],
    ["INV-0002", request(read, { session_token: long(257) }), ["session_token", "max_length"]],
    ["INV-0003", request(read, { dedupe_key: long(257) }), ["dedupe_key", "max_length"]],
    ["INV-0004", request(null), ["tool", "required"]],
    ["INV-0005", request(tool("file_read", { path: "" })), ["file_read.path", "required"]],
    ["INV-0005", request(tool("file_read", { path: long(4097) })), ["file_read.path", "max_length"]],
    ["INV-0005, in bytes", request(tool("file_read", { path: "ä".repeat(2049) })), ["file_read.path", "max_length"]],
    ["INV-0006", request(tool("file_read", { path: "a\0b" })), ["file_read.path", "no_null_bytes"]],
    ["INV-0007", request(tool("file_read", { path: "a/../b" })), ["file_read.path", "no_path_traversal"]],
    ["INV-0007", request(tool("file_read", { path: "a\\..\\b" })), ["file_read.path", "no_path_traversal"]],
    ["INV-0008", request(tool("file_read", { limit: 1_073_741_825n })), ["file_read.limit", "max_value"]],
    ["INV-0009", request(tool("file_write", { path: "" })), ["file_write.path", "required"]],
    ["INV-0010", request(tool("file_write", { path: ".." })), ["file_write.path", "no_path_traversal"]],
    [
      "INV-0011",
      request(tool("file_write", { content: new Uint8Array(100 * MB + 1) })),
      ["file_write.content", "max_size"],
    ],
    [
      "INV-0012",
      request(tool("file_write", { create_only: true, append: true })),
      ["file_write.append", "mutually_exclusive"],
    ],
    ["INV-0013", request(tool("file_edit", { path: "" })), ["file_edit.path", "required"]],
    ["INV-0013, as elsewhere", request(tool("file_edit", { path: "../a" })), ["file_edit.path", "no_path_traversal"]],
    ["INV-0014", request(tool("file_edit", { old_content: "" })), ["file_edit.old_content", "required"]],
    ["INV-0014", request(tool("file_edit", { old_content: long(10 * MB + 1) })), ["file_edit.old_content", "max_size"]],
    ["INV-0015", request(tool("file_edit", { new_content: long(10 * MB + 1) })), ["file_edit.new_content", "max_size"]],
    ["INV-0016", request(tool("shell_exec", { command: "" })), ["shell_exec.command", "required"]],
    ["INV-0016", request(tool("shell_exec", { command: long(MB + 1) })), ["shell_exec.command", "max_size"]],
    ["INV-0017", request(tool("shell_exec", { cwd: long(4097) })), ["shell_exec.cwd", "max_length"]],
    ["INV-0018", request(tool("shell_exec", { timeout_ms: 3_600_001n })), ["shell_exec.timeout_ms", "max_value"]],
    [
      "INV-0019",
      request(tool("shell_exec", { env: items(1001, (index) => `K${index}=v`) })),
      ["shell_exec.env", "max_items"],
    ],
    [
      "INV-0020",
      request(tool("shell_exec", { env: ["A=b", `K=${long(32 * 1024 - 1)}`] })),
      ["shell_exec.env[1]", "max_size"],
    ],
    ["INV-0020", request(tool("shell_exec", { env: ["A=b=c"] })), ["shell_exec.env[0]", "format"]],
    ["INV-0020", request(tool("shell_exec", { env: ["A"] })), ["shell_exec.env[0]", "format"]],
    ["INV-0020", request(tool("shell_exec", { env: ["=b"] })), ["shell_exec.env[0]", "format"]],
    ["two values of one key", request(tool("shell_exec", { env: ["A=b", "A=c"] })), ["shell_exec.env[1]", "format"]],
    ["INV-0021", request(tool("git_op", { operation: "push" })), ["git_op.operation", "known_operation"]],
    ["INV-0022", request(tool("git_op", { args: items(1001, () => "a") })), ["git_op.args", "max_items"]],
    ["INV-0023", request(tool("git_op", { args: ["a", long(32 * 1024 + 1)] })), ["git_op.args[1]", "max_size"]],
    ["INV-0024", request(tool("git_op", { cwd: long(4097) })), ["git_op.cwd", "max_length"]],
    ["INV-0025", request(tool("inference", { provider: "" })), ["inference.provider", "required"]],
    ["INV-0026", request(tool("inference", { model: long(257) })), ["inference.model", "max_length"]],
    [
      "INV-0027",
      request(tool("inference", { prompt_hash: new Uint8Array(31) })),
      ["inference.prompt_hash", "hash_size"],
    ],
    ["INV-0028", request(tool("inference", { max_tokens: 1_000_001n })), ["inference.max_tokens", "max_value"]],
    [
      "INV-0029",
      request(tool("inference", { system_prompt_hash: new Uint8Array(1) })),
      ["inference.system_prompt_hash", "hash_size"],
    ],
    ["INV-0030", request(tool("artifact_publish", { artifact_id: "" })), ["artifact_publish.artifact_id", "required"]],
    [
      "INV-0031",
      request(tool("artifact_publish", { content_hash: new Uint8Array(33) })),
      ["artifact_publish.content_hash", "hash_size"],
    ],
    ["INV-0032", request(tool("artifact_publish", { category: "" })), ["artifact_publish.category", "required"]],
    [
      "INV-0033",
      request(tool("artifact_publish", { metadata: items(1001, () => "a=b") })),
      ["artifact_publish.metadata", "max_items"],
    ],
    ["INV-0034", request(tool("artifact_publish", { metadata: ["a"] })), ["artifact_publish.metadata[0]", "format"]],
    [
      "a fetch of nothing",
      request(tool("artifact_fetch", { stable_id: "" })),
      ["artifact_fetch.stable_id", "required"],
    ],
    [
      "a fetch by too long a name",
      request(tool("artifact_fetch", { stable_id: long(257) })),
      ["artifact_fetch.stable_id", "max_length"],
    ],
    [
      "a fetch by half a hash",
      request(tool("artifact_fetch", { content_hash: new Uint8Array(16) })),
      ["artifact_fetch.content_hash", "hash_size"],
    ],
    [
      "a fetch that expects half a hash",
      request(tool("artifact_fetch", { expected_hash: new Uint8Array(31) })),
      ["artifact_fetch.expected_hash", "hash_size"],
    ],
    [
      "a fetch of more than is kept",
      request(tool("artifact_fetch", { max_bytes: 104_857_601n })),
      ["artifact_fetch.max_bytes", "max_value"],
    ],
    [
      "a fetch in a format that there is not",
      request(tool("artifact_fetch", { format: "yaml" })),
      ["artifact_fetch.format", "format"],
    ],
  ])("is not valid: %s", (_, given, error) => {
    expect(found(given)).toEqual([error]);
  });

  it("is told everything that is wrong with it at once (CTR-0033)", () => {
    const given = request(
      tool("shell_exec", { command: "", cwd: "../\0", timeout_ms: 2n ** 64n - 1n, env: ["A", "B=c", "D=e=f"] }),
      {
        request_id: "",
        session_token: "",
      },
    );
    expect(found(given)).toEqual([
      ["request_id", "required"],
      ["session_token", "required"],
      ["shell_exec.command", "required"],
      ["shell_exec.cwd", "no_null_bytes"],
      ["shell_exec.cwd", "no_path_traversal"],
      ["shell_exec.timeout_ms", "max_value"],
      ["shell_exec.env[0]", "format"],
      ["shell_exec.env[2]", "format"],
    ]);
    expect(validateToolRequest(given)[0]).toEqual({
      field: "request_id",
      rule: "required",
      message: "`request_id` is missing",
    });
  });
});
