import { expect, it } from "vitest";
import { logTo } from "../../../src/doors/serve/log.ts";

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

it("writes the lines of one turn at once, and those of the next behind them", async () => {
  const writes: string[] = [];
  const log = logTo((lines) => writes.push(lines));
  log("info", "request", { status: 200 });
  log("info", "request", { status: 404 });
  expect(writes).toEqual([]);
  await nextTick();
  log("info", "stopped");
  await nextTick();
  const said = writes.map((lines) =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  expect(said).toMatchObject([
    [
      { level: "info", message: "request", status: 200 },
      { message: "request", status: 404 },
    ],
    [{ message: "stopped" }],
  ]);
});

it.each(["warn", "error"] as const)("does not keep back %s, nor what was said before it", (level) => {
  const writes: string[] = [];
  const log = logTo((lines) => writes.push(lines));
  log("info", "request");
  log(level, "server fault");
  expect(writes.join("").match(/"message":"[^"]*"/g)).toEqual(['"message":"request"', '"message":"server fault"']);
});
