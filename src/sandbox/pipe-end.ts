import { Socket } from "node:net";

/* Ends of pipes that somebody else has made. Node calls its stream for them a socket, and no network is near it. */

export type PipeEnd = Socket;

export const readEnd = (fd: number): PipeEnd => new Socket({ fd, readable: true, writable: false });

/** Who writes to somebody that has gone hears of it by that one's end. */
export const writeEnd = (fd: number): PipeEnd =>
  new Socket({ fd, readable: false, writable: true }).on("error", () => {});
