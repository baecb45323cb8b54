import { ADMIN, rawRequest, type TestServer } from "./test-server.ts";

export const V1 = { "A2A-Version": "1.0" };
export const JSON_TYPE = { "Content-Type": "application/json" };
export const SEND = "/a2a/message:send";

export const rpc = (method: string, params: unknown = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
export const message = (parts: unknown, more: object = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts, ...more },
});
export const call = (tool: string, input: object) => message([{ data: { tool, input } }]);

interface Given {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

export const ask = (server: TestServer, path: string, body?: string, given: Given = {}) => {
  const { method = "POST", headers = { ...V1, ...JSON_TYPE }, token = ADMIN } = given;
  const sent = { ...headers, Authorization: `Bearer ${token}` };
  return rawRequest(server.url, { method, path, headers: sent, ...(body !== undefined && { body }) });
};

export const infoOf = (error: { details?: object[]; data?: object[] }) =>
  (error.details ?? error.data ?? []).find((one) => "reason" in one);
