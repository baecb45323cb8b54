import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

/** What an approval costs that is nowhere but in memory: a POST that waits, a POST that lets it go, and who is told of it. */
export interface BareServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** `record`: what is done between the yes and what it lets go. */
export async function openBareServer(record: () => void = () => {}): Promise<BareServer> {
  const waiting = new Map<string, () => void>();
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const app = new Hono();
  app.post("/echo", async (context) => context.json(await context.req.json()));
  app.post("/wait/:id", async (context) => {
    await new Promise<void>((resolve) => waiting.set(context.req.param("id"), resolve));
    return context.json({ status: "approved" });
  });
  app.post("/approve/:id", (context) => {
    const id = context.req.param("id");
    record();
    waiting.get(id)?.();
    const event = Buffer.from(`event: resolved\ndata: ${JSON.stringify({ id })}\n\n`);
    for (const listener of listeners) listener.enqueue(event);
    return context.json({ success: true });
  });
  app.get("/events", () => {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void listeners.add(controller) });
    return new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
  });
  app.get("/waiting", (context) => context.json({ count: waiting.size }));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
