import { type Route, route } from "../route.ts";

export const metrics: Route = route({
  id: "metrics",
  method: "GET",
  path: "/metrics",
  summary: "Numbers for Prometheus.",
  access: "person",
  answers: { 200: { means: "in its text format", schema: { type: "string" }, mediaType: "text/plain" } },
  handle: (_, parts) =>
    new Response(parts.metrics.text(), { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } }),
});
