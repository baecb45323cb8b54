// An agent of the Agent Client Protocol without a library. A prompt is a list of requests in JSON: it makes them of its
// editor, one after the other, and says what it was answered.
import { createInterface } from "node:readline";

const waiting = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `agent-${waiting.size}`;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: "s1", ...params } });
  });

const answers = {
  initialize: () => ({ protocolVersion: 1 }),
  "session/new": () => ({ sessionId: "s1" }),
  "session/prompt": async ({ prompt: [{ text }] }) => {
    const { method, params } = JSON.parse(text);
    const answer = await ask(method, params);
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: JSON.stringify(answer) } };
    send({ method: "session/update", params: { sessionId: "s1", update } });
    return { stopReason: "end_turn" };
  },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(error === undefined ? { result } : { error });
  else if (id !== undefined) send({ id, result: await answers[method]?.(params) });
});
