import type { ToolRequest } from "../../../src/formats/apm2/messages.ts";

type Asked = NonNullable<ToolRequest["tool"]>;

const EMPTY: { readonly [Kind in Asked["kind"]]: Extract<Asked, { kind: Kind }>["value"] } = {
  file_read: { path: "a.txt", offset: 0n, limit: 0n },
  file_write: { path: "a.txt", content: new Uint8Array(), create_only: false, append: false },
  file_edit: { path: "a.txt", old_content: "a", new_content: "" },
  shell_exec: { command: "true", cwd: "", timeout_ms: 0n, network_access: false, env: [] },
  git_op: { operation: "STATUS", args: [], cwd: "" },
  inference: {
    provider: "p",
    model: "m",
    prompt_hash: new Uint8Array(32),
    max_tokens: 0n,
    temperature_scaled: 0,
    system_prompt_hash: new Uint8Array(),
  },
  artifact_publish: { artifact_id: "a", content_hash: new Uint8Array(32), category: "c", metadata: [] },
  artifact_fetch: {
    stable_id: "a",
    content_hash: new Uint8Array(),
    expected_hash: new Uint8Array(),
    max_bytes: 0n,
    format: "",
  },
};

/** A valid tool of a request, but for what is said. */
export const tool = <Kind extends Asked["kind"]>(
  kind: Kind,
  value: Partial<Extract<Asked, { kind: Kind }>["value"]> = {},
): Asked => ({ kind, value: { ...EMPTY[kind], ...value } }) as Asked;

export const request = (asked: Asked | null, head: Partial<Omit<ToolRequest, "tool">> = {}): ToolRequest => ({
  request_id: "req-001",
  session_token: "session-abc",
  dedupe_key: "",
  ...head,
  tool: asked,
});
