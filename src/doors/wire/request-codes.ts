/** Why a request never became a call. The codes of calls are in `domain/codes.ts`. */
export const REQUEST_CODES = {
  AUTH_REQUIRED: { status: 401, means: "the request carries no token that is known here" },
  CSRF_REQUIRED: { status: 403, means: "a browser's request that changes something has to carry its CSRF token" },
  HOST_FORBIDDEN: { status: 403, means: "the request names a host that this server is not" },
  ORIGIN_FORBIDDEN: { status: 403, means: "the request comes from another site's page" },
  ROLE_REQUIRED: { status: 403, means: "whose token it is may not do this" },
  SESSION_FOREIGN: { status: 403, means: "the session is somebody else's" },
  ROUTE_UNKNOWN: { status: 404, means: "there is no such route" },
  PROJECT_UNKNOWN: { status: 404, means: "there is no such project" },
  EXECUTION_UNKNOWN: { status: 404, means: "there is no call with this id" },
  ENTRY_UNKNOWN: { status: 404, means: "there is no such ledger entry, or no checkpoint covers it yet" },
  METHOD_NOT_ALLOWED: { status: 405, means: "the route has other methods" },
  JSON_INVALID: { status: 400, means: "the body is not JSON" },
  REQUEST_INVALID: { status: 400, means: "the request is not what the route takes" },
  BODY_TOO_LARGE: { status: 413, means: "the body is longer than the route takes" },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, means: "the body is sent as something else than the route takes" },
  EXECUTION_OVER: { status: 409, means: "the call has ended already" },
  EXECUTION_ELSEWHERE: { status: 409, means: "another process runs the call" },
  DISPATCH_WITHDRAWN: { status: 409, means: "the call is not for this executor to run, or not any more" },
  RESULT_NOT_EXPECTED: { status: 403, means: "the call was not handed to whoever sends its result" },
  RESULT_CONFLICT: { status: 409, means: "the call has another result already" },
  RESULT_LATE: { status: 409, means: "the call ended before its result came" },
  TOO_MANY_REQUESTS: { status: 429, means: "more requests than one session may make" },
  BUSY: { status: 503, means: "the server has as much to do as it takes on" },
  SERVER_FAULT: { status: 500, means: "a mistake of the server itself" },
} as const satisfies Record<string, { readonly status: number; readonly means: string }>;

export type RequestCode = keyof typeof REQUEST_CODES;
