/** Where a tool's work happens, and so who holds it in. */
export type Containment = "process" | "sandbox" | "upstream" | "client";
