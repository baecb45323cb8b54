import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Gateways from npm that neither judge nor record anything. No dependency of ours: they are put into a folder of their own. */
const PACKAGES = ["mcp-proxy@6.7.19", "supergateway@4.0.0"];
const FOLDER = "TOOLGATE_BENCH_GATEWAYS";

export interface Gateways {
  readonly mcpProxy: string;
  readonly supergateway: string;
}

/** Null: nobody asked for them. They are fetched into the folder that the environment names, once. */
export function gateways(): Gateways | null {
  const folder = process.env[FOLDER];
  if (folder === undefined || folder === "") return null;
  const found = {
    mcpProxy: join(folder, "node_modules/.bin/mcp-proxy"),
    supergateway: join(folder, "node_modules/.bin/supergateway"),
  };
  if (!Object.values(found).every((path) => existsSync(path))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...PACKAGES];
    execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  return found;
}

export const WITHOUT_GATEWAYS = `other gateways left out: name a folder for them in ${FOLDER}`;
