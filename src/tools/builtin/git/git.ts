import { type Draft, refuse, type Tool } from "../../../domain/call.ts";
import type { GitIdentity } from "../../../domain/git-identity.ts";
import { GIT_OPERATIONS, type GitOperation } from "../../../domain/git-operations.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { Refusal } from "../../../domain/outcome.ts";
import type { Touch } from "../../../domain/touch.ts";
import { reachedBy } from "../../../ports/files.ts";
import { makeTool } from "../../make-tool.ts";
import { addressTouch } from "../../sandboxed/address-touch.ts";
import { COMMAND_LIMITS, runProgram } from "../../sandboxed/run-program.ts";
import { withSandbox } from "../../sandboxed/with-sandbox.ts";
import { fileRefusal } from "../file-plan.ts";
import type { ShellPorts } from "../run-command.ts";
import { aboveOf, type FoundRepository, findRepository } from "./find-repository.ts";
import { gitArguments } from "./git-arguments.ts";

const DEFINITION = {
  name: "git",
  description:
    "Runs one git operation in the sandbox: no hooks, no pager, no prompts, no program that the repository's configuration names. Each operation has a list of options; paths stand behind `--`.",
  source: "builtin",
  containment: "sandbox",
  effects: { subprocess: true },
  timeoutMs: LIMITS.commandTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      operation: { enum: [...GIT_OPERATIONS], description: "what git is to do" },
      args: {
        type: "array",
        maxItems: LIMITS.repeatedItems.maximum,
        items: { type: "string", minLength: 1, maxLength: LIMITS.itemBytes.maximum, pattern: "^[^\\u0000]*$" },
        description: "options, names, and paths behind `--`",
      },
      cwd: { type: "string", minLength: 1, description: "a folder of the repository; default: the workspace" },
    },
    required: ["operation"],
    additionalProperties: false,
  },
} as const;

type GitInput = { readonly operation: GitOperation; readonly args?: readonly string[]; readonly cwd?: string };

/** What no repository may decide. Hooks are looked for where there are none, and helpers are programs that do nothing. */
const HARDENED = [
  ...[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.editor=true",
    "core.sshCommand=false",
  ],
  ...["core.askPass=true", "credential.helper=", "diff.external=", "gpg.program=false", "commit.gpgSign=false"],
  ...["gpg.ssh.program=false", "gpg.x509.program=false", "core.alternateRefsCommand=true"],
  // Annotated tags would be signed by this one in spite of `--no-sign`.
  ...["tag.forceSignAnnotated=false", "gpg.ssh.defaultKeyCommand=false"],
  ...["tag.gpgSign=false", "protocol.ext.allow=never", "submodule.recurse=false", "uploadpack.packObjectsHook="],
  ...[
    "advice.detachedHead=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "safe.directory=*",
    // A `config` beside any `HEAD`, `objects` and `refs` would be obeyed, and nobody has read it.
    "safe.bareRepository=explicit",
    "interactive.diffFilter=",
    // What follows a line end in it is a step of the rebase, also one that runs a program.
    "rebase.instructionFormat=%s",
    // A commit with an editor would show it what changed, by programs that make texts of files.
    "commit.verbose=false",
    // To say more of a submodule, a git is asked that obeys the submodule's configuration.
    "diff.submodule=short",
    "diff.ignoreSubmodules=dirty",
    "status.submoduleSummary=false",
  ],
];

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_SSH_COMMAND: "false",
  GIT_PROTOCOL_FROM_USER: "0",
  GIT_ALLOW_PROTOCOL: "file:http:https",
  GIT_OPTIONAL_LOCKS: "0",
  EMAIL: "toolgate@localhost",
};

export interface GitPorts extends ShellPorts {
  /** Left out = who commits is said by the repository, or nobody in particular. */
  readonly gitIdentity?: () => GitIdentity | null;
}

export function gitTool(ports: GitPorts): Tool<GitInput> {
  const { files, programs, sandbox } = ports;
  const tool = makeTool<GitInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const { operation, args = [] } = input;
      const located = await files.locate(input.cwd ?? ".");
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path: cwd, kind } = located.value;
      if (kind !== "directory") return refuse(invalid(`\`${files.shown(cwd)}\` is no folder`));
      const words = gitArguments(operation, args);
      if (!words.ok) return refuse(invalid(words.why));
      const found = await findRepository(files, cwd);
      if (!found.ok) return refuse(fileRefusal(found.fault));
      const { repository, config, operands } = found.value;
      if (config.problem !== null && operation !== "CLONE")
        return refuse(invalid(`git is not run here: ${config.problem}`));
      const git = await programs.resolve("git", cwd);
      if (git === null || !git.toolchain) return refuse(NO_GIT);
      const identity = Object.entries(ports.gitIdentity?.() ?? {}).filter(([key]) => !config.says.has(key));
      const commits = identity.map(([key, value]) => `user.${key}=${value}`);
      const settings = [...HARDENED, ...config.overrides, ...commits].flatMap((setting) => ["-c", setting]);
      return {
        kind: "drafted",
        plan: {
          touches: [
            { kind: "git", operation, arguments: args, repository },
            ...(await addressTouches(operation, args, found.value, cwd)),
          ],
          operands,
          sandbox: {
            argv: [git.named, "--no-pager", ...settings, ...words.words],
            cwd,
            limits: COMMAND_LIMITS,
            report: sandbox.report(),
          },
        },
      };
    },
    run: (call, signal) => {
      const { sandbox: planned, touches } = call.plan;
      if (planned === undefined) throw new TypeError("the plan of a git operation has a program");
      const [program = "", ...rest] = planned.argv;
      const touch = touches.find(({ kind }) => kind === "git");
      const repository = touch?.kind === "git" ? touch.repository : planned.cwd;
      const env = { ...ENVIRONMENT, GIT_CEILING_DIRECTORIES: aboveOf(repository) };
      const run = { argv: [program, ...rest] as const, cwd: planned.cwd, env, limits: COMMAND_LIMITS };
      return runProgram(call, run, ports, signal);
    },
  });

  /** Where the operation reaches: hosts by their names, other repositories of this machine by their paths. */
  async function addressTouches(
    operation: GitOperation,
    args: readonly string[],
    { repository, config: { remotes }, folders }: FoundRepository,
    cwd: string,
  ): Promise<readonly Touch[]> {
    if (!REMOTE.has(operation)) return [];
    const first = args.find((arg) => !arg.startsWith("-"));
    // From anywhere in a tree, git works at its top.
    const [names, base] = operation === "CLONE" ? [[first ?? ""], cwd] : [remotes.meant(first ?? null), repository];
    const way = operation === "PUSH" ? "push" : "fetch";
    const touches: Touch[] = [];
    for (const name of names) if (!remotes.hasAddress(name) && (await isInFile(name, folders))) touches.push(untold);
    for (const address of new Set(names.flatMap((name) => remotes.addressesOf(name, way)))) {
      if (leadsAway(address)) {
        touches.push(addressTouch(asUrl(address)));
        continue;
      }
      const located = await files.locate(address.startsWith("/") ? address : `${base}/${address}`);
      if (!located.ok) touches.push(untold);
      else if (!located.value.path.startsWith(`${files.workspace}/`))
        touches.push({ kind: "read", path: located.value.path, ...reachedBy(located.value), tree: true });
    }
    return touches;
  }

  /** gitrepository-layout(5): remotes were files of their own once, and git still takes them. */
  async function isInFile(name: string, folders: readonly string[]): Promise<boolean> {
    for (const place of folders.flatMap((folder) => [`${folder}remotes/${name}`, `${folder}branches/${name}`])) {
      const located = await files.locate(place);
      if (!located.ok || located.value.kind === "file") return true;
    }
    return false;
  }
  return withSandbox(tool, sandbox);
}

const untold: Touch = { kind: "unknown", reason: "it can't be told which repository is meant" };

/** gitremote-helpers(7) and git-clone(1): what has a colon before its first slash is no path. */
const leadsAway = (address: string): boolean => /^[^/]*:/.test(address);

/** `git@host:path`, as ssh has it, in the form of an address. */
const asUrl = (address: string): string => address.replace(/^((?:[\w.-]+@)?[\w.-]+):(?![/:])/, "ssh://$1/");

const REMOTE: ReadonlySet<GitOperation> = new Set(["CLONE", "FETCH", "PULL", "PUSH"]);

const invalid = (message: string): Refusal => ({
  code: "INVALID_ARGUMENTS",
  stage: "plan",
  message,
  hint: "`toolgate tools` shows what git takes; paths stand behind `--`",
});

const NO_GIT: Refusal = {
  code: "FILE_NOT_FOUND",
  stage: "plan",
  message: "there is no git in a toolchain of this machine",
  hint: "install it, for example with `apt install git`",
};
