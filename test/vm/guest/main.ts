// Runs as root in the VM, started by systemd: tries the gate in each way to run it, and reports to the second serial port.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PACKAGE = "/opt/toolgate";
const TOOLGATE = [`${PACKAGE}/node/node`, `${PACKAGE}/bin/toolgate.js`] as const;
const PORT = "7420";
const MARK = "987654";
/** Emulation is slow, above all where a test fills the memory. */
const PATIENT_MS = 600_000;

interface Way {
  readonly who: string;
  readonly user: "ann" | "bob" | "root";
  /** Words before a command of the user. */
  readonly behind: (workspace: string) => readonly string[];
  /** Lines of the shipped unit that do not hold here. Null = no server is tried. */
  readonly unitWithout: RegExp | null;
  /** Whether the gate should get cgroups. */
  readonly hasGroups: { readonly cli: boolean; readonly server: boolean };
}

const ANN = ["env", "XDG_RUNTIME_DIR=/run/user/1001", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1001/bus"];

const WAYS: readonly Way[] = [
  {
    who: "user, delegated",
    user: "ann",
    behind: () => [
      ...["setpriv", "--reuid=ann", "--regid=ann", "--init-groups", ...ANN],
      ...["systemd-run", "--user", "--scope", "--quiet", "-p", "Delegate=yes", "--"],
    ],
    unitWithout: /^$/,
    hasGroups: { cli: true, server: true },
  },
  {
    who: "user, logged in",
    user: "ann",
    behind: (workspace) => ["runuser", "-l", "-c", `cd ${workspace} && exec "$@"`, "--", "ann", "sh"],
    unitWithout: null,
    hasGroups: { cli: true, server: true },
  },
  {
    who: "user, no manager",
    user: "bob",
    behind: () => ["setpriv", "--reuid=bob", "--regid=bob", "--init-groups"],
    unitWithout: /^Delegate=.*\n/m,
    hasGroups: { cli: false, server: false },
  },
  {
    who: "root",
    user: "root",
    behind: () => [],
    unitWithout: /^(Delegate|User)=.*\n/gm,
    hasGroups: { cli: true, server: true },
  },
];

const CONFIG = `
tools: { builtin: [files, shell] }
rules:
  - id: all
    effect: allow
    touch: { read: ["./**"], write: ["./**"], delete: ["./**"], exec: ["**"] }
    grant: { write: ["./**"] }
    because: Tried in a machine of its own.
`;

/** Each with the code that its call has to end with. */
const CALLS: readonly (readonly [check: string, command: string, code: string])[] = [
  ["memory within the limit, three processes", "python3 hungry.py processes 3 400", "completed"],
  ["memory, four processes of 900 MB", "python3 hungry.py processes 4 900", "LIMIT_MEMORY"],
  ["memory, 2.5 GB shared", "python3 hungry.py shared 2500", "LIMIT_MEMORY"],
  ["tasks within the limit", "python3 hungry.py tasks 300", "completed"],
  ["tasks beyond it", "python3 hungry.py tasks 700", "LIMIT_PROCESSES"],
  ["a new file", "echo made > made.txt", "completed"],
  ["first for the OOM killer", "grep -qx 1000 /proc/self/oom_score_adj", "completed"],
  ["a process left behind", `setsid sleep ${MARK} & sleep 0.2`, "completed"],
];

function report(who: string, how: string, check: string, held: boolean, saw: unknown): void {
  const line = JSON.stringify({ who, how, check, held, saw: typeof saw === "string" ? saw : JSON.stringify(saw) });
  appendFileSync("/dev/ttyS1", `${line}\n`);
}

/** Node crashes now and then under emulation, so a command that died of a signal is repeated. */
function ran(
  argv: readonly string[],
  cwd: string,
  attempts = 3,
): { readonly status: number | null; readonly out: string; readonly err: string } {
  const [program = "", ...args] = argv;
  const { status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 3 * PATIENT_MS,
  });
  if ((signal !== null || (status ?? 0) > 128) && attempts > 1) return ran(argv, cwd, attempts - 1);
  return { status, out: stdout ?? "", err: stderr ?? "" };
}

function codeOf(text: string): string {
  try {
    const outcome = JSON.parse(text);
    return outcome.error?.code ?? outcome.refusal?.code ?? outcome.kind ?? text.slice(0, 300);
  } catch {
    return `no outcome: ${text.slice(0, 300)}`;
  }
}

const said = (text: string): string => {
  try {
    const { content, error, refusal, sandbox } = JSON.parse(text);
    const fault = error ?? refusal;
    const words = fault === undefined ? "" : ` ${fault.message}${fault.hint === undefined ? "" : `; ${fault.hint}`}`;
    const stderr = (content ?? [])
      .map((item: { text?: string }) => item.text ?? "")
      .join("")
      .slice(-300);
    return `${codeOf(text)}${words} ${stderr} ${sandbox === undefined ? "" : `(memory by ${sandbox.memory}, tasks by ${sandbox.tasks})`}`;
  } catch {
    return text.slice(0, 300);
  }
};

function workspaceOf({ user }: Way): string {
  const workspace = user === "root" ? "/root/work" : `/home/${user}/work`;
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "toolgate.yaml"), CONFIG);
  writeFileSync(join(workspace, "groups.yaml"), `${CONFIG}\nsandbox: { minimum: groups }\n`);
  writeFileSync(join(workspace, "note.txt"), "a note\n");
  cpSync(join(PACKAGE, "guest/hungry.py"), join(workspace, "hungry.py"));
  const { uid, gid } = user === "root" ? { uid: 0, gid: 0 } : statSync(`/home/${user}`);
  for (const name of [".", ...readdirSync(workspace)]) chownSync(join(workspace, name), uid, gid);
  return workspace;
}

const processesWith = (word: string): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(word);
    } catch {
      return false; // it has ended
    }
  }).length;

const groupsLeft = (): readonly string[] =>
  readdirSync("/sys/fs/cgroup", { recursive: true, encoding: "utf8" }).filter((path) =>
    /\/toolgate-[^/.]*$/.test(path),
  );

/** What a call left on the machine, beside its outcome. */
function afterwards(check: string, workspace: string): string | null {
  if (check === "a process left behind" && processesWith(MARK) > 0) return "the process runs on";
  if (check === "a new file") {
    const { uid } = statSync(join(workspace, "made.txt"), { throwIfNoEntry: false }) ?? { uid: null };
    if (uid !== statSync(workspace).uid) return `the file belongs to ${uid}`;
  }
  return null;
}

function checkCommandLine(way: Way, workspace: string): void {
  const { who, behind, hasGroups } = way;
  const how = "command line";
  const command = (...words: readonly string[]) => ran([...behind(workspace), ...TOOLGATE, ...words], workspace);
  checkDoctor(who, how, hasGroups.cli, (config) => command("doctor", "--json", "--config", config));
  const calls = CALLS.map(([, line]) =>
    JSON.stringify({ tool: "run_command", input: { command: line, timeoutMs: PATIENT_MS } }),
  );
  writeFileSync(join(workspace, "calls.jsonl"), calls.join("\n"));
  const { out, err } = command("batch", "calls.jsonl", "--concurrency", "1", "--config", "toolgate.yaml");
  const outcomes = out.split("\n");
  reportGroups(who, how, outcomes[0] ?? "", hasGroups.cli);
  for (const [index, [check, , wanted]] of CALLS.entries()) {
    const outcome = outcomes[index] ?? "";
    const left = afterwards(check, workspace);
    report(who, how, check, codeOf(outcome) === wanted && left === null, left ?? said(outcome || err));
  }
}

function reportGroups(who: string, how: string, outcome: string, hasGroups: boolean): void {
  const isByGroup = /"memory":"cgroup"/.test(outcome) && /"tasks":"cgroup"/.test(outcome);
  report(who, how, "limits by cgroup", isByGroup === hasGroups, isByGroup ? "yes" : `no: ${said(outcome)}`);
}

type Doctor = (config: string) => ReturnType<typeof ran>;

function checkDoctor(who: string, how: string, hasGroups: boolean, doctor: Doctor): void {
  const plain = doctor("toolgate.yaml");
  report(who, how, "doctor, minimum namespaces", plain.status === 0, doctorSaid(plain));
  const strict = doctor("groups.yaml");
  report(who, how, "doctor, minimum groups", (strict.status === 0) === hasGroups, doctorSaid(strict));
}

function doctorSaid({ status, out, err }: ReturnType<typeof ran>): string {
  try {
    const { report, canaries, fault } = JSON.parse(out);
    const escaped = canaries.filter(({ held }: { held: boolean }) => !held).map(({ name }: { name: string }) => name);
    const words =
      fault === null
        ? `${canaries.length - escaped.length} of ${canaries.length} held`
        : `${fault.message}; ${fault.hint}`;
    return `exit ${status}, ${words}, memory by ${report.memory}, tasks by ${report.tasks}${escaped.length === 0 ? "" : `; not held: ${escaped.join(", ")}`}`;
  } catch {
    return `exit ${status}: ${(out || err).slice(0, 300)}`;
  }
}

async function checkServer(way: Way, workspace: string): Promise<void> {
  const { who, user, unitWithout, hasGroups } = way;
  if (unitWithout === null) return;
  const how = "server";
  const name = `toolgate-${user}.service`;
  const unit = readFileSync(join(PACKAGE, "units/toolgate.service"), "utf8")
    .replace(unitWithout, "")
    .replace(/^User=.*/m, `User=${user}`)
    .replace(/^WorkingDirectory=.*/m, `WorkingDirectory=${workspace}`)
    .replace(
      /^ExecStart=.*/m,
      `ExecStart=${TOOLGATE.join(" ")} serve --port ${PORT} --config ${workspace}/toolgate.yaml`,
    );
  writeFileSync(`/run/systemd/system/${name}`, unit);
  ran(["systemctl", "daemon-reload"], "/");
  ran(["systemctl", "start", name], "/");
  const state = () =>
    ran(["systemctl", "show", name, "-p", "ActiveState,NRestarts,Result"], "/").out.trim().split("\n").join(" ");
  if (!(await isReady())) {
    report(
      who,
      how,
      "starts",
      false,
      `${state()} ${ran(["journalctl", "-u", name, "-n", "20", "--no-pager"], "/").out}`,
    );
    return;
  }
  const token = readFileSync(join(workspace, ".toolgate/admin.token"), "utf8").trim();
  const call = (tool: string, input: object) => called(token, tool, input);
  reportGroups(who, how, await call("run_command", { command: "true" }), hasGroups.server);
  for (const [check, line, wanted] of CALLS) {
    let answered = 0;
    let isOver = false;
    const outcome = call("run_command", { command: line, timeoutMs: PATIENT_MS }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      if (codeOf(await call("read_file", { path: "note.txt" })) === "completed") answered++;
      else break;
      await sleep(200);
    }
    const text = await outcome;
    const left = afterwards(check, workspace);
    report(
      who,
      how,
      check,
      codeOf(text) === wanted && left === null && (answered > 0 || wanted === "completed"),
      left ?? `${said(text)}, ${answered} others answered`,
    );
  }
  const after = state();
  report(who, how, "the unit runs on", /ActiveState=active/.test(after) && /NRestarts=0/.test(after), after);
  ran(["systemctl", "stop", name], "/");
  report(who, how, "no groups left", groupsLeft().length === 0, groupsLeft().join(" "));
}

async function called(token: string, tool: string, input: object): Promise<string> {
  try {
    const response = await fetch(`http://127.0.0.1:${PORT}/my/projects/default/tools/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ tool_name: tool, tool_params: input }),
      signal: AbortSignal.timeout(PATIENT_MS),
    });
    return await response.text();
  } catch (error) {
    return `no answer: ${error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : error}`;
  }
}

async function isReady(): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    if (
      await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return true;
    await sleep(500);
  }
  return false;
}

/** Where user namespaces are forbidden nothing runs, and the hint names the setting. */
function checkForbidden(): void {
  for (const setting of ["kernel.unprivileged_userns_clone", "user.max_user_namespaces"]) {
    const file = join("/proc/sys", setting.replace(".", "/"));
    const before = readFileSync(file, "utf8");
    writeFileSync(file, "0");
    const way = WAYS.find(({ user }) => user === "bob");
    if (way === undefined) throw new Error("bob is one of them");
    const workspace = workspaceOf(way);
    const doctor = ran(
      [...way.behind(workspace), ...TOOLGATE, "doctor", "--json", "--config", "toolgate.yaml"],
      workspace,
    );
    const words = doctorSaid(doctor);
    report(
      `${setting}=0`,
      "command line",
      "doctor names the setting",
      doctor.status !== 0 && words.includes(setting),
      words,
    );
    writeFileSync(file, before);
  }
}

/** `VM_ONLY` of the machine's starter: a part of the way's name, for a quicker look at one of them. */
const only = /toolgate\.only=(\S+)/.exec(readFileSync("/proc/cmdline", "utf8"))?.[1] ?? "";

for (const way of WAYS.filter(({ who }) => who.replaceAll(" ", "_").includes(only))) {
  const workspace = workspaceOf(way);
  checkCommandLine(way, workspace);
  report(way.who, "command line", "no groups left", groupsLeft().length === 0, groupsLeft().join(" "));
  await checkServer(way, workspace);
}
if (only === "" || only === "forbidden") checkForbidden();
appendFileSync("/dev/ttyS1", '"done"\n');
