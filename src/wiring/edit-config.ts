import { resolve } from "node:path";
import { withUpstreams } from "../config/add-upstreams.ts";
import { type ClientServers, readClientServers } from "../config/client-servers.ts";
import type { Trusted } from "../config/trust.ts";
import { openTrust } from "../config/trust.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Config, Environment } from "./settings.ts";

export type { ClientServers, Trusted };

export const serversOfClient = (cwd: string, file: string): ClientServers => readClientServers(resolve(cwd, file));

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
