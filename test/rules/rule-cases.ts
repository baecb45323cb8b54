import type { RuleSource } from "../../src/rules/rule.ts";

/** `read x` is a touch in the workspace, `read /x` one by absolute path; `unknown` and `exec` touch no file. */
export interface RuleCase {
  readonly name: string;
  readonly rules: readonly RuleSource[];
  /** tool and touch → effect, and the rule that is named for it (none = no rule covers the touch) */
  readonly decides: readonly (readonly [tool: string, touch: string, decision: string])[];
}

const ALL = ["./**"];

/** The workspace is `/workspace`. */
export const RULE_CASES: readonly RuleCase[] = [
  {
    name: "no rules: nothing is allowed",
    rules: [],
    decides: [
      ["read_file", "read a", "deny by none"],
      ["any", "unknown", "deny by none"],
    ],
  },
  {
    name: "a rule speaks about its kind of touch and no other",
    rules: [{ id: "read-workspace", effect: "allow", touch: { read: ALL } }],
    decides: [
      ["read_file", "read a", "allow by read-workspace"],
      ["read_file", "write a", "deny by none"],
      ["read_file", "delete a", "deny by none"],
      ["read_file", "exec", "deny by none"],
      ["read_file", "read /workspace-evil/a", "deny by none"],
      ["read_file", "read /etc/passwd", "deny by none"],
    ],
  },
  {
    name: "a deny beats an allow, wherever it stands",
    rules: [
      { id: "closed-before", effect: "deny", touch: { read: ["./**/.env"] } },
      { id: "open", effect: "allow", touch: { read: ALL } },
      { id: "closed-after", effect: "deny", touch: { read: ["./**/*.pem"] } },
    ],
    decides: [
      ["read_file", "read a", "allow by open"],
      ["read_file", "read .env", "deny by closed-before"],
      ["read_file", "read x/key.pem", "deny by closed-after"],
    ],
  },
  {
    name: "an ask beats an allow, a deny beats an ask",
    rules: [
      { id: "open", effect: "allow", touch: { write: ALL } },
      { id: "ask", effect: "ask", touch: { write: ["./src/**"] } },
      { id: "closed", effect: "deny", touch: { write: ["./src/gen/**"] } },
    ],
    decides: [
      ["write_file", "write a", "allow by open"],
      ["write_file", "write src/a", "ask by ask"],
      ["write_file", "write src/gen/a", "deny by closed"],
      ["write_file", "write src/general", "ask by ask"],
    ],
  },
  {
    name: "among equally strict rules the first is named",
    rules: [
      { id: "first", effect: "ask", touch: { read: ALL } },
      { id: "second", effect: "ask", touch: { read: ALL } },
    ],
    decides: [["read_file", "read a", "ask by first"]],
  },
  {
    name: "all selectors of a rule must match",
    rules: [{ id: "mine", effect: "allow", tools: ["read_*", "stat"], touch: { read: ["./a", "./b"] } }],
    decides: [
      ["read_file", "read a", "allow by mine"],
      ["stat", "read b", "allow by mine"],
      ["read_file", "read c", "deny by none"],
      ["Read_file", "read a", "deny by none"],
      ["search", "read a", "deny by none"],
    ],
  },
  {
    name: "a rule without `touch` covers every touch, but an allow covers `unknown` only by name",
    rules: [
      { id: "trusted", effect: "allow", tools: ["trusted"] },
      { id: "asked", effect: "ask", tools: ["asked"] },
      { id: "named", effect: "allow", tools: ["named"], touch: { unknown: true } },
    ],
    decides: [
      ["trusted", "read /etc/passwd", "allow by trusted"],
      ["trusted", "exec", "allow by trusted"],
      ["trusted", "unknown", "deny by none"],
      ["asked", "unknown", "ask by asked"],
      ["named", "unknown", "allow by named"],
      ["named", "read a", "deny by none"],
    ],
  },
  {
    name: "`otherwise` speaks only where no other rule does",
    rules: [
      { id: "rest", effect: "deny", otherwise: true, touch: { write: ALL } },
      { id: "notes", effect: "allow", touch: { write: ["./notes/**"] } },
    ],
    decides: [
      ["write_file", "write a", "deny by rest"],
      ["write_file", "write notes/a", "allow by notes"],
      ["write_file", "write /etc/a", "deny by none"],
    ],
  },
  {
    name: "the strictest `otherwise` decides among them",
    rules: [
      { id: "lenient", effect: "allow", otherwise: true },
      { id: "strict", effect: "ask", otherwise: true, touch: { write: ALL } },
      { id: "plain", effect: "allow", touch: { write: ["./a"] }, otherwise: false },
    ],
    decides: [
      ["write_file", "write b", "ask by strict"],
      ["write_file", "write a", "allow by plain"],
      ["write_file", "read a", "allow by lenient"],
      ["write_file", "unknown", "deny by none"],
    ],
  },
  {
    name: "a path with a detour is spoken about by no rule",
    rules: [
      { id: "everything", effect: "allow" },
      { id: "closed", effect: "deny", touch: { read: ["/etc/**"] } },
    ],
    decides: [
      ["read_file", "read /etc/passwd", "deny by closed"],
      ["read_file", "read /x", "allow by everything"],
      ["read_file", "read /x/../etc/passwd", "deny by none"],
      ["read_file", "read //etc/passwd", "deny by none"],
      ["read_file", "read /./etc/passwd", "deny by none"],
      ["read_file", "read /etc/", "deny by none"],
      ["read_file", "read /x/..", "deny by none"],
      ["read_file", "read /x\0", "deny by none"],
      ["read_file", "read /", "allow by everything"],
      ["read_file", "read /...", "allow by everything"],
      ["read_file", "read /x/..y", "allow by everything"],
    ],
  },
];
