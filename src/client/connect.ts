import type { ServerEvent } from "./event-blocks.ts";
import { follow } from "./follow.ts";
import type { Operations } from "./operations.ts";
import { type ClientSettings, type RequestOptions, type RouteRow, send } from "./request.ts";
import { ROUTES } from "./routes.ts";

interface Answers<Answer> {
  readonly json: Promise<Answer>;
  readonly text: Promise<string>;
  readonly bytes: Promise<Response>;
  readonly events: AsyncGenerator<ServerEvent, void, void>;
}

type Id = keyof Operations;
type Input<Name extends Id> = Operations[Name]["input"];

/** Whether it can be left out. */
type Given<Name extends Id> = Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** A method for each operation of the server. */
export type ToolgateClient = {
  readonly [Name in Id]: (
    ...given: [...Given<Name>, options?: RequestOptions]
  ) => Answers<Operations[Name]["answer"]>[Operations[Name]["kind"]];
};

type AnyInput = Readonly<Record<string, unknown>>;

/** A client of the server at `url`. It opens no connection before its first request. */
export function connect(settings: ClientSettings): ToolgateClient {
  const methods = Object.entries(ROUTES).map(([id, row]) => [
    id,
    (input: AnyInput = {}, options: RequestOptions = {}) => made(row, input, settings, options),
  ]);
  return Object.fromEntries(methods) as ToolgateClient;
}

function made(row: RouteRow, input: AnyInput, settings: ClientSettings, options: RequestOptions): unknown {
  if (row.kind === "events") {
    const open = async (last: string | null) => {
      const headers = last === null ? {} : { "Last-Event-ID": last };
      const response = await send(row, input, settings, { ...options, headers });
      options.opened?.();
      return response;
    };
    return follow(open, options.signal);
  }
  const answer = send(row, input, settings, options);
  if (row.kind === "bytes") return answer;
  return answer.then((response) => (row.kind === "text" ? response.text() : response.json()));
}
