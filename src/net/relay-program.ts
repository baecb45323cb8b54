/**
 * What brings a sandbox's loopback to the proxy's unix socket, since programs know proxies by host and port only. Run by
 * Node inside the sandbox: `node -e RELAY_PROGRAM -- PORTS SOCKET PROGRAM ARGUMENT…`. It listens first and then starts the
 * program, and ends as the program ended. It decides nothing: whatever it is made to do, the proxy says yes or no.
 *
 * PORTS is the proxy's, and behind commas `ADDRESS:PORT=HOST:PORT`: what connects there is taken to that host, by a CONNECT
 * like any other, for programs that know nothing of proxies.
 */
export const RELAY_PROGRAM = `
"use strict";
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const [ports, path, program, ...args] = process.argv.slice(1);
const [port, ...forwards] = ports.split(",");
const paired = (inside, outside) => {
  const end = () => { inside.destroy(); outside.destroy(); };
  inside.on("error", end).on("close", end);
  outside.on("error", end).on("close", end);
};
const relayed = (inside) => {
  const outside = connect({ path, allowHalfOpen: true });
  paired(inside, outside);
  inside.pipe(outside);
  outside.pipe(inside);
};
const forwarded = (target) => (inside) => {
  const outside = connect({ path, allowHalfOpen: true });
  paired(inside, outside);
  outside.write("CONNECT " + target + " HTTP/1.1\\r\\nHost: " + target + "\\r\\n\\r\\n");
  let head = Buffer.alloc(0);
  const answered = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\\r\\n\\r\\n");
    if (end === -1) return head.length > 65536 ? inside.destroy() : undefined;
    outside.off("data", answered).pause();
    if (!/^HTTP\\/1\\.1 200 /.test(head.toString("latin1", 0, 32))) return inside.destroy();
    if (head.length > end + 4) outside.unshift(head.subarray(end + 4));
    outside.pipe(inside);
    inside.pipe(outside);
  };
  outside.on("data", answered);
};
const listening = (use, host, at) => new Promise((resolve, reject) => {
  createServer({ allowHalfOpen: true, pauseOnConnect: false }, use).on("error", reject).listen(Number(at), host, resolve);
});
const all = forwards.map((one) => {
  const [from, target] = one.split("=");
  const colon = from.lastIndexOf(":");
  return listening(forwarded(target), from.slice(0, colon), from.slice(colon + 1)).catch(() => {});
});
Promise.all([listening(relayed, "127.0.0.1", port), ...all]).then(() => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => process.exit(error.code === "ENOENT" ? 127 : 126));
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
}, () => process.exit(125));
`;
