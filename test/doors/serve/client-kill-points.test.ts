import { it } from "vitest";
import { killClientServerAt } from "./client-kill-points.ts";

it.each(["ack told", "result heard", "recorded"])(
  "`kill -9` of the server at %s of a call that a client runs",
  (border) => killClientServerAt(border, 3),
);
