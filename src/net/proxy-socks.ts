import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { canonicalAddress } from "../domain/address.ts";
import { hostInUrl } from "../domain/host.ts";
import { authorityFrom } from "../domain/web-target.ts";
import type { ProxyWays } from "./proxy-way.ts";

/** RFC 1928. */
const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const REPLY = { ok: 0, notAllowed: 2, unreachable: 4, noSuchCommand: 7, noSuchAddress: 8 } as const;
const REQUEST_BYTES_MAX = 2 + 255 + 4 + 1 + 255 + 2;

/** SOCKS 5 with names, for programs that speak nothing else. Only CONNECT: no listening, no UDP. */
export async function proxySocks(client: Socket, ways: ProxyWays): Promise<void> {
  client.on("error", () => client.destroy());
  const reader = new ByteReader(client);
  const [version, methods = 0] = await reader.take(2);
  const offered = await reader.take(methods);
  if (version !== VERSION || !offered.includes(NO_AUTHENTICATION)) return void client.end(Buffer.from([VERSION, 255]));
  client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
  const [again, command, , kind] = await reader.take(4);
  if (again !== VERSION || command !== CONNECT) return reply(client, REPLY.noSuchCommand);
  const host = await hostOf(reader, kind ?? 0);
  const [high = 0, low = 0] = await reader.take(2);
  const authority = host === null ? null : authorityFrom(`${host}:${high * 256 + low}`);
  if (!authority?.ok) {
    ways.refused(host ?? "", "socks", authority?.because ?? "its kind of address is not known");
    return reply(client, REPLY.noSuchAddress);
  }
  client.pause();
  const opened = await ways.open(authority.value, "socks", client);
  if (!opened.ok) return reply(client, opened.fault.code === "EGRESS_BLOCKED" ? REPLY.notAllowed : REPLY.unreachable);
  client.write(answerOf(REPLY.ok));
  reader.handBack();
  pipeline(client, opened.way.socket, () => {});
  pipeline(opened.way.socket, client, () => {});
  client.resume();
}

/** As it would stand in `host:port`. A name with a NUL or other oddities is refused where that is read. */
async function hostOf(reader: ByteReader, kind: number): Promise<string | null> {
  switch (kind) {
    case 1:
      return (await reader.take(4)).join(".");
    case 3: {
      const [length = 0] = await reader.take(1);
      return (await reader.take(length)).toString("latin1");
    }
    case 4: {
      const groups = (await reader.take(16)).toString("hex").match(/.{4}/g) ?? [];
      return hostInUrl(canonicalAddress(groups.join(":")) ?? "");
    }
    default:
      return null;
  }
}

const answerOf = (code: number): Buffer => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);

const reply = (client: Socket, code: number): void => void client.end(answerOf(code));

/** Reads what is asked for and no byte more; a client that ends before leaves whoever waits alone. */
class ByteReader {
  readonly #client: Socket;
  #held = Buffer.alloc(0);
  #wanted: { readonly count: number; readonly give: (bytes: Buffer) => void } | null = null;
  readonly #collect = (chunk: Buffer) => {
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.#held.length > REQUEST_BYTES_MAX && this.#wanted !== null) this.#client.destroy();
    this.#serve();
  };

  constructor(client: Socket) {
    this.#client = client;
    client.on("data", this.#collect);
  }

  take(count: number): Promise<Buffer> {
    return new Promise((give) => {
      this.#wanted = { count, give };
      this.#serve();
    });
  }

  handBack(): void {
    this.#client.off("data", this.#collect);
    if (this.#held.length > 0) this.#client.unshift(this.#held);
  }

  #serve(): void {
    if (this.#wanted === null || this.#held.length < this.#wanted.count) return;
    const { count, give } = this.#wanted;
    this.#wanted = null;
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    give(bytes);
  }
}
