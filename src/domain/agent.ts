import type { UpstreamSpec, UpstreamWay } from "./upstream.ts";

/** An agent that speaks ACP, as the operator wants it started. */
export interface AgentSpec extends Pick<UpstreamSpec, "name" | "missing" | "grant"> {
  readonly way: Extract<UpstreamWay, { kind: "stdio" }>;
}

/** What the operator says of editors and agents. */
export interface AcpSettings {
  readonly agents: readonly AgentSpec[];
  /** Whether the agent is told of MCP servers that the editor has: none of their calls goes through the gate. */
  readonly editorServers: "drop" | "pass";
  /** What becomes of a mode, or another setting, in which an agent might stop asking. */
  readonly modes: "ask" | "allow" | "deny";
}
