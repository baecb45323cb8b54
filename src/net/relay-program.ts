/**
 * What brings a sandbox's loopback to the proxy's unix socket, since programs know proxies by host and port only. Run by
 * Node inside the sandbox: `node -e RELAY_PROGRAM -- PORT SOCKET PROGRAM ARGUMENT…`. It listens first and then starts the
 * program, and ends as the program ended. It decides nothing: whatever it is made to do, the proxy says yes or no.
 */
export const RELAY_PROGRAM = `
"use strict";
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const [port, path, program, ...args] = process.argv.slice(1);
const server = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path, allowHalfOpen: true });
  const end = () => { inside.destroy(); outside.destroy(); };
  inside.on("error", end).on("close", end);
  outside.on("error", end).on("close", end);
  inside.pipe(outside);
  outside.pipe(inside);
});
server.on("error", () => process.exit(125));
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => process.exit(error.code === "ENOENT" ? 127 : 126));
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
});
`;
