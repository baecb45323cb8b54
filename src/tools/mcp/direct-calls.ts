import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { AskOptions } from "./ask-options.ts";

/** How a request was answered; null = it was not, and nobody knows what became of it. */
export type DirectAnswer =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } }
  | null;

interface Waiting {
  readonly answered: (answer: DirectAnswer) => void;
  readonly onProgress: AskOptions["onProgress"];
}

/**
 * Calls on the pipes of a program, beside the SDK: it does the handshake, the lists and whatever else is said, and we what
 * is done a thousand times. A call through it is parsed, checked and copied several times over, for features that the
 * gate has itself. Ids are texts of our own, and its are numbers: no answer can be taken for the other's.
 */
export class DirectCalls {
  readonly #send: (lines: string) => Promise<void>;
  readonly #waiting = new Map<string, Waiting>();
  /** What each request of the era says of its client, as it is written, up to where its own token stands. */
  readonly #envelope: string;
  #last = 0;
  /** Lines that go out together, and those who wait for their answers. */
  #unsent: string[] = [];
  #unsentIds: string[] = [];

  constructor(send: (lines: string) => Promise<void>, envelope: JsonObject) {
    this.#send = send;
    this.#envelope = Object.entries(envelope)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
      .join("");
  }

  /** How many wait for an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Its signal has to end in time: nothing else ends the waiting for a program that says nothing. */
  ask(
    method: string,
    params: JsonObject,
    { signal, onProgress }: Omit<AskOptions, "timeoutMs">,
  ): Promise<DirectAnswer> {
    const id = `${PREFIX}${++this.#last}`;
    const given = JSON.stringify(params).slice(1, -1);
    const meta = `"_meta":{${this.#envelope}"progressToken":"${id}"}`;
    const said = `${given === "" ? "" : `${given},`}${meta}`;
    // First of all: what is left to do here is done while the program wakes up. It can't be heard before the next turn.
    this.#say(`{"jsonrpc":"2.0","id":"${id}","method":${JSON.stringify(method)},"params":{${said}}}\n`, id);
    return new Promise((resolve) => {
      const cancel = () => this.#cancel(id);
      const answered = (answer: DirectAnswer) => {
        signal.removeEventListener("abort", cancel);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, { answered, onProgress });
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
    });
  }

  /** One by one at once; where others are on their way, all that come in one turn as one write, which wakes the program once. */
  #say(line: string, id: string): void {
    if (this.#waiting.size === 0 && this.#unsent.length === 0) {
      this.#write(line, [id]);
      return;
    }
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push(line);
    this.#unsentIds.push(id);
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    const [lines, ids] = [this.#unsent.join(""), this.#unsentIds];
    this.#unsent = [];
    this.#unsentIds = [];
    this.#write(lines, ids);
  }

  #write(lines: string, ids: readonly string[]): void {
    this.#send(lines).catch(() => {
      for (const id of ids) this.#waiting.get(id)?.answered(null);
    });
  }

  /** Whether the line was a message for one of these. Others are not even parsed, most of the time. */
  hear(line: string): boolean {
    if (this.#waiting.size === 0 || !line.includes(PREFIX)) return false;
    const message: unknown = JSON.parse(line);
    if (typeof message !== "object" || message === null) return false;
    const { id, method, params, error, result } = message as Readonly<Record<string, unknown>>;
    if (method === PROGRESS) return this.#progressed(params);
    const waiting = typeof id === "string" && method === undefined ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return false;
    if (error === undefined) waiting.answered({ result: result as JsonValue });
    else waiting.answered({ error: errorFrom(error) });
    return true;
  }

  /** The program has gone. */
  close(): void {
    for (const { answered } of this.#waiting.values()) answered(null);
  }

  #progressed(params: unknown): boolean {
    const { progressToken, progress, total, message } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const waiting = typeof progressToken === "string" ? this.#waiting.get(progressToken) : undefined;
    if (waiting === undefined) return false;
    waiting.onProgress({
      message: typeof message === "string" ? message : "",
      ...(typeof progress === "number" && { done: progress }),
      ...(typeof total === "number" && { total }),
    });
    return true;
  }

  #cancel(requestId: string): void {
    const waiting = this.#waiting.get(requestId);
    if (waiting === undefined) return;
    this.#flush(); // nobody takes back what was not said yet
    const params = { requestId, reason: "the gate does not wait any longer" };
    this.#write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`, []);
    waiting.answered(null);
  }
}

const PREFIX = "gate-";
const PROGRESS = "notifications/progress";

function errorFrom(error: unknown): { readonly code: number; readonly message: string } {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "" };
}

/** Why a value is no result of a tool, in the words of who sent it; null = it is one. */
export function wrongWith(result: JsonValue): string | null {
  if (!isJsonObject(result)) return "its answer is no object";
  const { resultType = "complete", content = [], isError = false } = result;
  if (resultType !== "complete") return "it asks for something before it answers, and the gate gives it nothing";
  if (!Array.isArray(content) || !content.every(isContent)) return "its answer holds content of no known kind";
  return typeof isError === "boolean" ? null : "`isError` in its answer is no boolean";
}

function isContent(item: JsonValue): boolean {
  if (!isJsonObject(item)) return false;
  const { type, text, data, mimeType, uri, name, resource } = item;
  switch (type) {
    case "text":
      return typeof text === "string";
    case "image":
    case "audio":
      return typeof data === "string" && typeof mimeType === "string";
    case "resource_link":
      return typeof uri === "string" && typeof name === "string";
    case "resource":
      return (
        isJsonObject(resource ?? null) &&
        typeof (resource as JsonObject)["uri"] === "string" &&
        (typeof (resource as JsonObject)["text"] === "string" || typeof (resource as JsonObject)["blob"] === "string")
      );
    default:
      return false;
  }
}
