import { join } from "node:path";
import type { Duplex } from "node:stream";
import { openCallSocket } from "../net/call-socket.ts";
import { STDIO_RELAY } from "../net/stdio-relay.ts";
import { CALL_SOCKET, type Mount } from "../ports/sandbox.ts";
import { privateFolder } from "../sandbox/private-folder.ts";

/** Where Node lies in the sandbox: a name that no folder of the machine has. */
const NODE = "/.toolgate-acp-node";

/** A way from inside an agent's sandbox to the gate outside. */
export interface AgentSocket extends AsyncDisposable {
  readonly installed: readonly Extract<Mount, { kind: "installed" }>[];
  readonly callSocket: string;
  /** The program that an agent starts to be connected under this key. */
  readonly program: (key: string) => { readonly command: string; readonly args: readonly string[] };
}

const KEY_BYTES_MAX = 200;
const NEWLINE = 10;

/** `connected` is told of everybody with the key that they said first. `isHeld`: the agent runs in a sandbox. */
export async function openAgentSocket(
  connected: (key: string, stream: Duplex) => void,
  isHeld: boolean,
): Promise<AgentSocket> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(privateFolder());
  const socketPath = join(path, "calls");
  stack.use(await openCallSocket(socketPath, (socket) => withKey(socket, connected)));
  const owned = stack.move();
  const [node, socket] = isHeld ? [NODE, CALL_SOCKET] : [process.execPath, socketPath];
  return {
    installed: [{ kind: "installed", path: process.execPath, at: NODE }],
    callSocket: socketPath,
    program: (key) => ({ command: node, args: ["-e", STDIO_RELAY, "--", socket, key] }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function withKey(stream: Duplex, connected: (key: string, stream: Duplex) => void): void {
  let head = Buffer.alloc(0);
  const hear = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(NEWLINE);
    if (end === -1 && head.length <= KEY_BYTES_MAX) return;
    stream.off("data", hear).pause();
    if (end === -1) return void stream.destroy();
    if (head.length > end + 1) stream.unshift(head.subarray(end + 1));
    connected(head.toString("utf8", 0, end), stream);
    // What was paused by hand does not go on by itself for who listens from now on.
    stream.resume();
  };
  stream.on("data", hear);
}
