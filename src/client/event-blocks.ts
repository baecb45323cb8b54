/** Something that happened, as a stream tells it. */
export interface ServerEvent {
  /** The number of the ledger entry; null = live only, and not told again to who comes back. */
  readonly id: string | null;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const EDGES = ["\n\r", "\n", "\r"] as const;

/** Events out of the text of a stream (HTML, section 9.2.6), and how long to wait before coming back, where it says so. */
export async function* eventBlocks(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent | { readonly retryMs: number }, void, void> {
  /** The beginning of a block. Each part is searched once: of a long event, all that came before is not looked at again. */
  const begun: string[] = [];
  /** What may be half of a line end, or of the empty line behind a block. */
  let edge = "";
  for await (const text of partsOf(body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>))) {
    const blocks = `${edge}${text}`.replaceAll("\r\n", "\n").split("\n\n");
    const rest = blocks.pop() ?? "";
    for (const block of blocks) {
      begun.push(block);
      yield* eventsIn(begun.splice(0).join(""));
    }
    edge = EDGES.find((one) => rest.endsWith(one)) ?? "";
    begun.push(rest.slice(0, rest.length - edge.length));
  }
}

/** As `for await` over the stream itself, which not every browser can do. */
async function* partsOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, void> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {}); // of a stream that broke: it is at its end already
  }
}

function* eventsIn(block: string): Generator<ServerEvent | { readonly retryMs: number }> {
  const lines = block.split("\n").map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? ["", "", ""]);
  const all = (field: string) => lines.filter(([, name]) => name === field).map(([, , value = ""]) => value);
  const retryMs = Number(all("retry").at(-1));
  if (retryMs > 0) yield { retryMs };
  const data = all("data");
  if (data.length === 0) return;
  yield {
    id: all("id").at(-1) ?? null,
    event: all("event").at(-1) ?? "message",
    data: JSON.parse(data.join("\n")) as ServerEvent["data"],
  };
}
