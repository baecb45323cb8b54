/**
 * What brings the pipes of a program to a unix socket outside its sandbox, for agents that start MCP servers as programs. Run
 * by Node inside the sandbox: `node -e STDIO_RELAY -- SOCKET KEY`. It says the key first, and decides nothing.
 */
export const STDIO_RELAY = `
"use strict";
const [path, key] = process.argv.slice(1);
const socket = require("node:net").connect({ path, allowHalfOpen: true });
const failed = (error) => { console.error("toolgate can't be reached: " + error.message); process.exit(1); };
socket.on("error", failed).on("end", () => process.exit(0)).on("close", () => process.exit(0));
process.stdout.on("error", () => process.exit(1));
socket.write(key + "\\n");
process.stdin.pipe(socket);
socket.pipe(process.stdout);
`;
