import type { FoundCalls } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

/** A `tools/call` request, or its parameters alone. There is one call in each. */
export function mcpCalls(request: ResponsePart): FoundCalls {
  const method = request.member("method");
  if (!method.isAbsent && method.text() !== "tools/call") throw method.fault("`tools/call`");
  const params = method.isAbsent ? request : request.member("params");
  const given = params.member("arguments");
  const { value: id } = request.member("id");
  return {
    calls: [
      {
        id: typeof id === "string" || typeof id === "number" ? String(id) : null,
        name: params.member("name").text(),
        input: { kind: "value", value: given.isAbsent ? {} : given.value },
      },
    ],
    cutBy: null,
  };
}
