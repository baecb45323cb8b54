import type { Limit } from "./limit.ts";

/** Hard limits of what goes over the network. */
export const NET_LIMITS = {
  webMs: {
    unit: "ms",
    default: 30_000,
    minimum: 100,
    maximum: 120_000,
    because: "redirects included; who needs longer wants a download, not an answer",
  },
  webResponseBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1,
    maximum: 10 * 1024 * 1024,
    because: "held in memory, and read by a model; counted after unpacking, so that no bomb goes off",
  },
  webRequestBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 0,
    maximum: 10 * 1024 * 1024,
    because: "the body stands in the call's arguments, and whoever approves it has to see it",
  },
  webRedirects: {
    unit: "count",
    default: 5,
    minimum: 0,
    maximum: 10,
    because: "longer chains are circles",
  },
  webHeaders: {
    unit: "count",
    default: 50,
    minimum: 0,
    maximum: 50,
    because: "no server wants more",
  },
  webResults: {
    unit: "count",
    default: 10,
    minimum: 1,
    maximum: 20,
    because: "what a search engine gives on its first page",
  },
  connectMs: {
    unit: "ms",
    default: 10_000,
    minimum: 100,
    maximum: 60_000,
    because: "to find the name and reach one of its addresses",
  },
  proxyConnections: {
    unit: "count",
    default: 64,
    minimum: 1,
    maximum: 1024,
    because: "a package manager opens some fifty at once",
  },
  proxyBytes: {
    unit: "bytes",
    default: 4 * 1024 * 1024 * 1024,
    minimum: 1024,
    maximum: 64 * 1024 * 1024 * 1024,
    because: "more than an installation needs, less than a disk holds",
  },
  proxyIdleMs: {
    unit: "ms",
    default: 120_000,
    minimum: 1000,
    maximum: 3_600_000,
    because: "a server may think for a while before it answers",
  },
  proxyRecords: {
    unit: "count",
    default: 200,
    minimum: 1,
    maximum: 1000,
    because: "what of a call's connections is listed one by one",
  },
} as const satisfies Record<string, Limit>;
