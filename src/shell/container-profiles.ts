import { STARTS } from "./hazard-reasons.ts";
import type { Profile } from "./profile.ts";

/** A first operand by which the program runs another one. */
export const first = (names: string): Required<Profile>["operands"] => ({
  pattern: new RegExp(`^(?:${names.replaceAll(" ", "|")})$`),
  first: true,
  why: STARTS.subcommand,
});

const CONTAINER_OPTIONS =
  "-a --all -q --quiet -f --filter --format --follow -n --tail --since --until --no-trunc -t --timestamps --time -s --size --details -v --volumes --digests --latest --no-stream --limit --force -h --help --version";
const CONTAINERS: Profile = {
  harmless: CONTAINER_OPTIONS,
  operands: {
    pattern:
      /^(?:run|exec|create|build|buildx|compose|cp|load|import|save|export|plugin|context|unshare|machine|play|kube)$/,
    why: STARTS.elsewhere,
  },
  turns: "-H --host --config -c --context --connection --url --hooks-dir --runtime",
  values: "l",
};
const CLUSTER: Profile = {
  harmless:
    "-n --namespace -o --output -f --filename -l --selector -A --all-namespaces -w --watch --show-labels --no-headers --sort-by --field-selector -c --container --tail --since --since-time --previous -p --timestamps --follow -q --quiet -R --recursive --dry-run --all --force --grace-period --wait --timeout --replicas --containers --ignore-not-found --output-watch-events --overwrite --context --cluster --request-timeout -h --help --client --short",
  values: "nolc",
  longValues: "--namespace --context --cluster --request-timeout",
  operands: first("exec run debug cp edit attach plugin rsh rsync"),
  turns: "--kubeconfig",
};
const EXTENSION: Profile = {
  harmless: "--force --all --dry-run",
  operands: { pattern: /^(?:exec|install|upgrade|create)$/, why: STARTS.subcommand },
};
/** By `ssh`, which takes options behind it. */
const CODESPACE: Profile = {
  harmless: "-c --codespace -R --repo --json -q --jq -L --limit -f --force",
  operands: { pattern: /^(?:ssh|cp|logs|jupyter|code)$/, why: STARTS.elsewhere },
};
const GITHUB: Required<Profile>["sub"] = {
  alias: { operands: { pattern: /^(?:set|import)$/, why: STARTS.subcommand } },
  config: { operands: { pattern: /^set$/, why: STARTS.subcommand } },
  extension: EXTENSION,
  extensions: EXTENSION,
  ext: EXTENSION,
  codespace: CODESPACE,
  cs: CODESPACE,
};

/** Programs that run others on clusters, in containers and on services. */
export const CONTAINER_PROFILES: Readonly<Record<string, Profile>> = {
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  "docker-compose": {
    harmless: CONTAINER_OPTIONS,
    operands: { pattern: /^(?:run|exec|up|build|create|start|cp|watch)$/, why: STARTS.elsewhere },
    turns: "-H --host -c --context -f --file --project-directory --env-file",
  },
  kubectl: CLUSTER,
  oc: CLUSTER,
  adb: { operands: first("shell exec-out exec-in") },
  lxc: { operands: first("exec") },
  incus: { operands: first("exec") },
  vagrant: { operands: first("ssh winrm powershell") },
  minikube: { operands: first("ssh kubectl") },
  machinectl: { operands: first("shell login") },
  buildah: { operands: first("run unshare build bud from") },
  ctr: { operands: { pattern: /^(?:run|exec)$/, why: STARTS.elsewhere } },
  crictl: { operands: first("exec run runp") },
  helm: {
    harmless:
      "-n --namespace -A --all-namespaces -o --output -f --values --set --set-string --version --wait --timeout --dry-run --debug --install -i --atomic --create-namespace --reuse-values --reset-values --revision --repo -a --all -q --short --max -l --selector -h --help",
    runs: "--post-renderer --post-renderer-args",
    operands: first("plugin"),
    turns: "--kubeconfig",
  },
  gh: {
    sub: GITHUB,
    subs: "pr issue repo run workflow release api auth status search browse gist label secret variable cache ruleset org project gpg-key ssh-key attestation completion version help",
    another: "--",
    harmless:
      "--json --jq -q --limit -L --state -s --author -A --assignee -a --label -l --repo -R --head -H --base -B --title -t --body -b --draft -d --fill -f --comments -c --search -S --merged --squash --rebase --merge -m --auto --delete-branch --milestone --reviewer -r --web -w --log --log-failed --exit-status --branch --workflow --created --event --commit --user -u --method -X --raw-field --paginate --slurp --hostname --include -i --silent --add-label --remove-label --approve --request-changes --comment --name-only --patch --watch --required --interval --public --private --visibility --fork --source --language --topic -h --help --version",
  },
};
