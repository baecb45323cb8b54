import type { RuleSource } from "../../src/rules/rule.ts";

/**
 * `read x` is a touch in the workspace, `read /x` one by absolute path, `read x/**` one of a folder with all below;
 * `connect host:port`, `tool name`, `unknown` and `exec` touch no file.
 */
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
  {
    name: "hosts are matched by whole labels, and only in their canonical form",
    rules: [
      { id: "api", effect: "allow", touch: { connect: ["**.example.com:443"] } },
      { id: "closed", effect: "deny", touch: { connect: ["*.internal.example.com:*"] } },
    ],
    decides: [
      ["web", "connect example.com:443", "allow by api"],
      ["web", "connect a.example.com:443", "allow by api"],
      ["web", "connect a.example.com:80", "deny by none"],
      ["web", "connect evilexample.com:443", "deny by none"],
      ["web", "connect x.internal.example.com:443", "deny by closed"],
      ["web", "connect X.internal.example.com:443", "deny by none"],
      ["web", "connect x.internal.example.com.:443", "deny by none"],
    ],
  },
  {
    name: "what is not on the internet is let through by its own name only, and stopped by any",
    rules: [
      { id: "all", effect: "allow", touch: { connect: ["*:*", "**.localhost:1"] } },
      { id: "named", effect: "allow", touch: { connect: ["127.0.0.1:*", "localhost:80", "[::1]:80"] } },
      { id: "asked", effect: "ask", touch: { connect: ["*:81"] } },
      { id: "closed", effect: "deny", touch: { connect: ["*:82"] } },
      { id: "web-tools", effect: "allow", tools: ["web"] },
    ],
    decides: [
      ["web", "connect example.com:80", "allow by all"],
      ["web", "connect 8.8.8.8:80", "allow by all"],
      ["web", "connect 127.0.0.1:80", "allow by named"],
      ["web", "connect localhost:80", "allow by named"],
      ["web", "connect localhost:1", "deny by none"],
      ["web", "connect a.localhost:1", "deny by none"],
      ["web", "connect 127.0.0.2:80", "deny by none"],
      ["web", "connect 169.254.169.254:80", "deny by none"],
      ["web", "connect 169.254.169.254:81", "ask by asked"],
      ["web", "connect 169.254.169.254:82", "deny by closed"],
    ],
  },
  {
    name: "tools elsewhere are matched by name",
    rules: [
      { id: "search", effect: "allow", touch: { tool: ["github.search", "jira.*"] } },
      { id: "rest", effect: "ask", otherwise: true, touch: { tool: ["*"] } },
    ],
    decides: [
      ["mcp", "tool github.search", "allow by search"],
      ["mcp", "tool github.search_all", "ask by rest"],
      ["mcp", "tool jira.close", "allow by search"],
    ],
  },
  {
    name: "models are matched by provider and name",
    rules: [
      { id: "small", effect: "allow", touch: { model: ["acme/small-*", "local/*"] } },
      { id: "never", effect: "deny", touch: { model: ["*/small-old"] } },
      { id: "rest", effect: "ask", otherwise: true, touch: { model: ["*"] } },
    ],
    decides: [
      ["infer", "model acme/small-1", "allow by small"],
      ["infer", "model acme/large-1", "ask by rest"],
      ["infer", "model local/org/large", "allow by small"],
      ["infer", "model acme-evil/small-1", "ask by rest"],
      ["infer", "model acme/small-old", "deny by never"],
    ],
  },
  {
    name: "where a tool works can be asked for",
    rules: [
      { id: "here", effect: "allow", containment: ["process"], touch: { read: ALL } },
      { id: "there", effect: "deny", containment: ["upstream", "client"], touch: { write: ALL } },
      { id: "anywhere", effect: "allow", touch: { write: ALL } },
    ],
    decides: [
      ["t", "read a", "allow by here"],
      ["t", "write a", "allow by anywhere"],
    ],
  },
  {
    name: "a plain ask wins over an allow, also where both have conditions that hold",
    rules: [
      { id: "low", effect: "allow", touch: { read: ALL, write: ALL }, when: 'risk != "HIGH"' },
      { id: "writes", effect: "ask", touch: { write: ALL }, when: 'risk in ["MEDIUM", "HIGH"]' },
    ],
    decides: [
      ["t", "read a", "allow by low"],
      ["t", "write a", "ask by writes"],
      ["t", "write a.exe", "ask by writes"],
    ],
  },
  {
    name: "a rule that can't be decided denies, whatever it would have said, unless a deny or a plain rule stands before",
    rules: [
      { id: "erring", effect: "allow", tools: ["erring"], when: "call.input.missing" },
      { id: "all", effect: "ask", touch: { read: ALL } },
      { id: "closed", effect: "deny", touch: { read: ["./closed"] } },
      { id: "rest", effect: "ask", otherwise: true, when: "call.input.missing" },
    ],
    decides: [
      ["erring", "read a", "deny by erring, which can't be decided"],
      ["erring", "read closed", "deny by closed"],
      ["other", "read a", "ask by all"],
      ["other", "write a", "deny by rest, which can't be decided"],
    ],
  },
  {
    name: "a tree is let through by a rule that covers all of it, and what is stricter inside is hidden",
    rules: [
      { id: "open", effect: "allow", touch: { read: ALL } },
      { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./keys/**"] } },
      { id: "drafts", effect: "ask", touch: { read: ["./drafts/**"] } },
      { id: "by-day", effect: "deny", touch: { read: ["./docs/*"] }, when: "now.getHours() > 5" },
      { id: "by-night", effect: "deny", touch: { read: ["./docs/*"] }, when: "now.getHours() < 5" },
      { id: "by-name", effect: "ask", touch: { read: ["./lib/*"] }, when: 'touch.path.endsWith("x")' },
      { id: "one-file", effect: "allow", touch: { read: ["/etc/hosts"] } },
    ],
    decides: [
      ["t", "read src/**", "allow by open, hiding ./**/.env"],
      ["t", "read .", "allow by open"],
      ["t", "read ./**", "allow by open, hiding ./**/.env ./docs/* ./drafts/** ./keys/** ./lib/*"],
      ["t", "read keys/**", "deny by secrets"],
      ["t", "read keys/a/**", "deny by secrets"],
      ["t", "read docs/**", "allow by open, hiding ./**/.env ./docs/*"],
      ["t", "read docs/a/**", "deny by by-day"],
      ["t", "read drafts/a/**", "ask by drafts, hiding ./**/.env"],
      ["t", "read lib/**", "allow by open, hiding ./**/.env ./lib/*"],
      ["t", "read lib/a/**", "ask by by-name, hiding ./**/.env"],
      ["t", "read .env/**", "deny by secrets"],
      ["t", "read /etc/**", "deny by none"],
      ["t", "read /etc/hosts/**", "deny by none"],
    ],
  },
  {
    name: "the names in a folder are judged like the folder, and those that are stricter are hidden",
    rules: [
      { id: "open", effect: "allow", touch: { read: ALL } },
      { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./keys/**"] } },
      { id: "drafts", effect: "ask", touch: { read: ["./drafts", "./src/b"] } },
      { id: "by-day", effect: "deny", touch: { read: ["./docs/*"] }, when: "now.getHours() > 5" },
      { id: "by-night", effect: "deny", touch: { read: ["./docs/a"] }, when: "now.getHours() < 5" },
      { id: "by-name", effect: "ask", touch: { read: ["./lib/*"] }, when: 'touch.path.endsWith("x")' },
      { id: "erring", effect: "deny", tools: ["u"], touch: { read: ["./src/a"] }, when: "call.input.missing" },
      { id: "rest", effect: "deny", otherwise: true, touch: { read: ["./src/*", "/etc/*"] } },
      { id: "etc", effect: "allow", touch: { read: ["/etc"] } },
    ],
    decides: [
      ["t", "names .", "allow by open, hiding ./**/.env ./docs/* ./drafts ./keys/** ./lib/* ./src/b"],
      ["t", "names src", "allow by open, hiding ./**/.env ./src/b"],
      ["u", "names src", "allow by open, hiding ./**/.env ./src/a ./src/b"],
      ["t", "names keys", "deny by secrets"],
      ["t", "names drafts", "ask by drafts, hiding ./**/.env"],
      ["t", "names docs", "allow by open, hiding ./**/.env ./docs/*"],
      ["t", "names docs/b", "deny by by-day"],
      ["t", "names lib", "allow by open, hiding ./**/.env ./lib/*"],
      ["t", "names /etc", "allow by etc, hiding /etc/*"],
      ["t", "names /usr", "deny by none"],
    ],
  },
  {
    name: "a name that nothing is stricter about is not hidden",
    rules: [{ id: "open", effect: "allow", touch: { read: ["./a"] } }],
    decides: [["t", "names a", "allow by open"]],
  },
  {
    name: "a condition about each path of a tree can't be decided for all of it",
    rules: [
      { id: "open", effect: "allow", touch: { read: ALL, delete: ALL } },
      { id: "no-x", effect: "deny", tools: ["t"], when: 'touch.path.endsWith("x")' },
      { id: "erring", effect: "allow", tools: ["u"], when: 'touch.host == "x"' },
      { id: "maybe", effect: "allow", tools: ["v"], when: 'touch.path.endsWith("x")' },
      { id: "log", effect: "deny", tools: ["w"], touch: { delete: ["./**/*.log"] } },
      { id: "tmp", effect: "ask", tools: ["x"], touch: { delete: ["./tmp/a"] } },
    ],
    decides: [
      ["t", "read src/**", "deny by no-x, which can't be decided"],
      ["u", "read src/**", "deny by erring, which can't be decided"],
      ["v", "read src/**", "allow by open"],
      ["w", "delete src/**", "deny by log"],
      ["x", "delete tmp/**", "ask by tmp"],
      ["x", "delete src/**", "allow by open"],
    ],
  },
];
