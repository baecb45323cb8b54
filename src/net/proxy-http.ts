import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { authorityFrom, hostHeader, type WebTarget, webUrlFrom } from "../domain/web-target.ts";
import type { EgressFault } from "../ports/egress.ts";
import type { ProxyWays } from "./proxy-way.ts";

const HEADER_BYTES_MAX = 64 * 1024;

/**
 * RFC 9112: CONNECT opens a tunnel, an absolute `http://` URL is fetched. Anything else is no request to a proxy. Node's
 * strict parser reads it, so that a request which two readers could understand in two ways is a request for nobody.
 * A client that sends its head slowly holds up itself only: clients are counted, and all end with the call.
 */
export function proxyHttp(ways: ProxyWays): Server {
  const server = createServer({ insecureHTTPParser: false, maxHeaderSize: HEADER_BYTES_MAX });
  server.on("request", (incoming, answer) => void forwarded(incoming, answer, ways));
  server.on("connect", (incoming, client: Socket, head) => void tunnelled(incoming, client, head, ways));
  // Without this, a client that asks for another protocol would get the socket.
  server.on("upgrade", (_incoming, client: Socket) => client.destroy());
  server.on("clientError", (_error, client) => {
    if (client.writable) client.write("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    client.destroy();
  });
  return server;
}

async function tunnelled(incoming: IncomingMessage, client: Socket, head: Uint8Array, ways: ProxyWays): Promise<void> {
  client.on("error", () => client.destroy());
  const asked = incoming.url ?? "";
  const authority = authorityFrom(asked);
  if (!authority.ok) {
    ways.refused(asked, "connect", authority.because);
    return refuseTunnel(client, 400, authority.because);
  }
  client.pause();
  const opened = await ways.open(authority.value, "connect", client);
  if (!opened.ok) return refuseTunnel(client, statusOf(opened.fault), opened.fault.message);
  const { socket } = opened.way;
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) client.unshift(head);
  pipeline(client, socket, () => {});
  pipeline(socket, client, () => {});
  client.resume();
}

function refuseTunnel(client: Socket, status: number, because: string): void {
  const body = `toolgate: ${because}\n`;
  const head = `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n`;
  client.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** RFC 9110, section 7.6.1: between the program and us, or between us and the server, and for nobody else. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade", "http2-settings", "expect"],
]);

async function forwarded(incoming: IncomingMessage, answer: ServerResponse, ways: ProxyWays): Promise<void> {
  const asked = incoming.url ?? "";
  const parsed = webUrlFrom(asked);
  const because = parsed.ok ? whyNot(parsed.value, incoming) : parsed.because;
  if (!parsed.ok || because !== null) {
    ways.refused(asked, "http", because ?? "");
    return refuse(answer, 400, because ?? "");
  }
  const url = parsed.value;
  const opened = await ways.open(url, "http", answer.socket ?? incoming.socket);
  if (!opened.ok) return refuse(answer, statusOf(opened.fault), opened.fault.message);
  const { socket } = opened.way;
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: incoming.method ?? "GET",
    path: url.path,
    setHost: false,
    // RFC 9112, section 3.2.2: the host is that of the URL, which was checked, and not what `Host` claims.
    headers: [...endToEnd(incoming), "Host", hostHeader(url), "Connection", "close", ...framing(incoming)],
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
  });
  const end = () => {
    socket.destroy();
    if (answer.headersSent) answer.destroy();
    else refuse(answer, 502, "the server ended the connection without an answer");
  };
  outgoing.once("error", end);
  outgoing.once("upgrade", end);
  outgoing.once("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, [...endToEnd(response)]);
    pipeline(response, answer, () => socket.destroy());
  });
  pipeline(incoming, outgoing, () => {});
}

function whyNot({ scheme }: WebTarget, { headers }: IncomingMessage): string | null {
  if (scheme !== "http") return "https goes through CONNECT";
  // A body that the next reader may find longer or shorter than we do is two requests in one.
  const encoding = headers["transfer-encoding"] ?? "chunked";
  return encoding.toLowerCase() === "chunked" ? null : "its transfer encoding is not known";
}

/** Names and values in turn, without what is only between two neighbours, what `Connection` names, and lengths. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): readonly string[] {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i], rawHeaders[i + 1]];
    const lower = name.toLowerCase();
    if (lower === "host" || HOP_BY_HOP.has(lower) || named.has(lower)) continue;
    if (lower === "content-length" && headers["transfer-encoding"] !== undefined) continue;
    kept.push(name, value);
  }
  return kept;
}

/** The body is framed anew by us: what the parser has read as one body is sent as one. */
const framing = ({ headers }: IncomingMessage): readonly string[] =>
  headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];

function refuse(answer: ServerResponse, status: number, because: string): void {
  const body = `toolgate: ${because}\n`;
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  answer.end(body);
}

const statusOf = ({ code }: EgressFault): number => (code === "EGRESS_BLOCKED" ? 403 : 502);
