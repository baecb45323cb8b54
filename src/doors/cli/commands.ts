import type { Command } from "./command.ts";

/** In the order of help. A command is loaded only when it is used. */
export const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  init: {
    summary: "write a commented toolgate.yaml with safe rules",
    load: async () => (await import("./init.ts")).init,
  },
  call: { summary: "make one governed call", load: async () => (await import("./call.ts")).call },
  batch: { summary: "make many calls, a line of JSON each", load: async () => (await import("./batch.ts")).batch },
  explain: {
    summary: "show what a call would touch and how your rules judge it",
    load: async () => (await import("./explain.ts")).explain,
  },
  serve: {
    summary: "answer calls and questions over HTTP",
    load: async () => (await import("./serve.ts")).serve,
  },
  mcp: {
    summary: "serve the tools to an MCP client on this process's pipes",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  acp: {
    summary: "start an agent behind the gate, for an editor that speaks ACP",
    load: async () => (await import("./acp.ts")).acp,
  },
  legacy: {
    summary: "serve `tools/use` to clients of the Zed tool system, on this process's pipes",
    load: async () => (await import("./legacy.ts")).legacy,
  },
  executor: {
    summary: "run tools of `tools.client` here, for a server that governs them",
    load: async () => (await import("./executor.ts")).executor,
  },
  approvals: {
    summary: "see what waits for an answer, and answer it",
    load: async () => (await import("./approvals.ts")).approvals,
  },
  sessions: {
    summary: "give an agent a token, bound by a lease, and take it back",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  tools: {
    summary: "list the tools and what they take, check definitions",
    load: async () => (await import("./tools.ts")).tools,
  },
  rules: {
    summary: "check the rules, try their examples, and see which rule decides",
    load: async () => (await import("./rules.ts")).rules,
  },
  ledger: { summary: "read, verify and anchor the ledger", load: async () => (await import("./ledger.ts")).ledger },
  blobs: {
    summary: "print what was too long for a result",
    load: async () => (await import("./blobs.ts")).blobs,
  },
  doctor: {
    summary: "try what the sandbox of this machine really prevents",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  trust: { summary: "accept the toolgate.yaml found here", load: async () => (await import("./trust.ts")).trust },
  completion: {
    summary: "print what makes bash, zsh or fish complete commands",
    load: async () => (await import("./completion.ts")).completionOf(loadAll),
  },
};

export const loadAll = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
