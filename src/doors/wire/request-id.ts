/** An id of a JSON-RPC request. */
export type RequestId = string | number;

export const isRequestId = (id: unknown): id is RequestId => typeof id === "string" || Number.isInteger(id);

export const TAKEN = { code: -32_600, message: "Invalid Request: another request with this id is on its way" } as const;
