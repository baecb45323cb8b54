import { resolve } from "node:path";
import { withUpstreams } from "../config/add-upstreams.ts";
import { type ClientServers, readClientServers } from "../config/client-servers.ts";
import type { Trusted } from "../config/trust.ts";
import { openTrust } from "../config/trust.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Config, Environment } from "./settings.ts";

export type { ClientServers, Trusted };

/** Null: there is no config yet that they could be added to. */
export const serversOfClient = (cwd: string, file: string, config: Config | null): ClientServers =>
  readClientServers(resolve(cwd, file), config?.text ?? "");

/** The config that is in force with more servers; `save` puts it in place and accepts it, as its editor has. */
export function editConfig(
  { path }: Config,
  servers: Readonly<Record<string, JsonObject>>,
  environment: Environment,
  nowMs: number,
): { readonly text: string; readonly save: () => Trusted } | { readonly message: string; readonly hint?: string } {
  if (path === null) return { message: "there is no `toolgate.yaml`", hint: "`toolgate init` writes one" };
  const edited = withUpstreams(path, servers);
  if (!edited.ok) return { message: edited.message, ...(edited.hint !== undefined && { hint: edited.hint }) };
  return { text: edited.text, save: () => edited.save(openTrust(environment), nowMs) };
}
