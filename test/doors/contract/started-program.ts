import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { EXECUTOR_TOKEN, type Place } from "./place.ts";

export type Program = ChildProcessWithoutNullStreams;

/** `toolgate …` in a place. Its stderr goes nowhere unless somebody reads it. */
export function startProgram(
  place: Place,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Program {
  const { folder, env, config } = place;
  const [command = "", ...rest] = args;
  const all = [BUILT_PROGRAM, command, "--config", config, ...rest];
  const child = spawn(process.execPath, all, { cwd: folder, env: { ...env, ...more } });
  child.stdin.on("error", () => {}); // it may be gone already
  child.stderr.resume();
  return child;
}

export async function stopProgram(child: Program): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

/** A session's token is taken only with a configuration that a person has accepted. */
export async function trustConfig(place: Place): Promise<void> {
  const [exitCode] = await once(startProgram(place, ["trust", "--yes"]), "exit");
  if (exitCode !== 0) throw new Error(`toolgate trust ended with ${exitCode}`);
}

async function firstLine(child: Program): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the program ended and printed nothing");
}

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
}

/** `toolgate serve`, and `toolgate executor` beside it: the client that runs the client's tools. */
export async function startServer(place: Place): Promise<Server> {
  const server = startProgram(place, ["serve", "--port", "0", "--json"]);
  const { url } = JSON.parse(await firstLine(server)) as { url: string };
  const tokenFile = join(place.folder, "executor.token");
  writeFileSync(tokenFile, EXECUTOR_TOKEN, { mode: 0o600 });
  const executor = startProgram(place, ["executor", "--token-file", tokenFile, "--url", url, "--json"]);
  await firstLine(executor);
  return {
    url,
    adminToken: readFileSync(join(place.folder, ".toolgate/admin.token"), "utf8").trim(),
    [Symbol.asyncDispose]: async () => {
      await stopProgram(executor);
      await stopProgram(server);
    },
  };
}
