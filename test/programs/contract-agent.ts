// An agent of the Agent Client Protocol without a library, for test/doors/contract. A prompt is a request in JSON: the agent
// makes it of its editor, and says what it was answered.
import { createInterface } from "node:readline";

interface Prompt {
  readonly prompt: readonly { readonly text: string }[];
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Prompt;
  readonly result?: unknown;
  readonly error?: unknown;
}

const waiting = new Map<string | number | undefined, (answer: object) => void>();
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (method: string, params: object): Promise<object> =>
  new Promise((resolve) => {
    const id = `agent-${waiting.size}`;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: "s1", ...params } });
  });

async function answer(method: string, params: Prompt | undefined): Promise<object> {
  if (method === "initialize") return { protocolVersion: 1 };
  if (method === "session/new") return { sessionId: "s1" };
  const request = JSON.parse(params?.prompt[0]?.text ?? "") as { method: string; params: object };
  const answered = await ask(request.method, request.params);
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: JSON.stringify(answered) } };
  send({ method: "session/update", params: { sessionId: "s1", update } });
  return { stopReason: "end_turn" };
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line) as Message;
  if (method === undefined) waiting.get(id)?.(error === undefined ? { result } : { error });
  else if (id !== undefined) send({ id, result: await answer(method, params) });
});
