/** `toolgate/client`: a typed client of `toolgate serve`, for Node and browsers. */
export type * from "./answers.ts";
export { connect, type ToolgateClient } from "./connect.ts";
export type { ServerEvent } from "./event-blocks.ts";
export { ProblemError } from "./problem-error.ts";
export type { ClientSettings, RequestOptions } from "./request.ts";
