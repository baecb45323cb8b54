import { problem } from "../../wire/problem.ts";
import { type Route, route } from "../route.ts";

export const readBlob: Route = route({
  id: "readBlob",
  method: "GET",
  path: "/my/projects/{project}/blobs/{hash}",
  summary: "What was too long for a result, whole. Its address is the BLAKE3 of what was stored.",
  access: "any",
  answers: {
    200: { means: "the bytes", schema: { type: "string" }, mediaType: "application/octet-stream" },
    404: { means: "nothing is kept under this hash" },
    422: { means: "that is no hash" },
  },
  handle: async ({ params }, { gate }) => {
    const found = await gate.blobs.get(params["hash"] ?? "");
    if (!found.ok) {
      const { code, message, hint } = found.fault;
      return problem(code, { detail: message, ...(hint && { hint }) });
    }
    // Never rendered: whatever a tool printed is data, here as everywhere.
    return new Response(ReadableStream.from(found.value.chunks()), {
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${found.value.hash}"`,
      },
    });
  },
});
