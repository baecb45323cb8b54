import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NOBODY = 65_534;
const TRIES = 5;

/** Where the server's programs are: on Debian in a folder of their own, for each version one. */
export function postgresFolder(): string | null {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort().reverse() : [];
  const folders = [
    ...versions.map((version) => join("/usr/lib/postgresql", version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)))) ?? null;
}

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  /** Runs SQL as the owner of all. */
  readonly run: (sql: string, database?: string) => string;
}

/** A server of its own in a folder of its own, which goes with it. Root may not run one, and nobody does it then. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresFolder() as string;
  const folder = mkdtempSync(join(tmpdir(), "toolgate-postgres-"));
  const data = join(folder, "data");
  const password = "the-password-of-the-owner";
  writeFileSync(join(folder, "password"), password);
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ("uid" in who) for (const path of [folder, join(folder, "password")]) chownSync(path, NOBODY, NOBODY);
  const options = { ...who, cwd: folder, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", HOME: folder } };
  const initdb = [
    "-D",
    data,
    "-U",
    "owner",
    "-A",
    "scram-sha-256",
    "--no-sync",
    `--pwfile=${join(folder, "password")}`,
  ];
  execFileSync(join(programs, "initdb"), initdb, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
    const server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((one) => ["-c", one])], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    const isReady = await new Promise<boolean>((resolve) => {
      let said = "";
      server.stderr.on("data", (chunk: Buffer) => {
        said += chunk;
        if (said.includes("ready to accept connections")) resolve(true);
      });
      server.once("exit", () => resolve(false));
    });
    if (!isReady && attempt < TRIES) continue; // somebody else took the port
    if (!isReady) throw new Error("the server of PostgreSQL does not start");
    const env = { ...options.env, PGPASSWORD: password };
    return {
      port,
      password,
      run: (sql, database = "postgres") =>
        execFileSync(
          "psql",
          ["-X", "-q", "-h", "127.0.0.1", "-p", String(port), "-U", "owner", "-d", database, "-Atc", sql],
          {
            env,
          },
        ).toString(),
      [Symbol.asyncDispose]: async () => {
        server.kill("SIGQUIT");
        await ended;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
