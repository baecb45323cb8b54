import { BUILD_PROFILES } from "./build-profiles.ts";
import { GIT } from "./git-profile.ts";
import { STARTS } from "./hazard-reasons.ts";
import { NETWORK_PROFILES } from "./network-profiles.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

const PLAIN: Profile = { harmless: ALL_OTHERS };
const READS: Profile = { harmless: ALL_OTHERS, files: { kind: "read" } };

const EDITOR: Profile = {
  runs: "-c --cmd -S -s -e -E -i -u -U --eval -l --load -f --funcall --script --execute --remote-expr --remote-send",
  operands: { pattern: /^\+/, why: STARTS.editorCommand },
};

/** By the program's name. Of a program that is in no table, no option is known. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  ...BUILD_PROFILES,
  ...NETWORK_PROFILES,
  git: GIT,
  find: {
    harmless: ALL_OTHERS,
    style: "single",
    deletes: "-delete",
    writes: "-fprint -fprint0 -fprintf -fls",
    turns: "-files0-from",
  },
  fd: {
    harmless: ALL_OTHERS,
    runs: "-x --exec -X --exec-batch",
    turns: "--ignore-file --base-directory",
    values: "edtEcjSo",
  },
  sed: { harmless: ALL_OTHERS, writes: "-i --in-place", turns: "-f --file", values: "efl", code: "sed" },
  awk: {
    harmless:
      "-F --field-separator -v --assign -b --characters-as-bytes -c --traditional -C --copyright -P --posix -r --re-interval -S --sandbox -t --lint-old -n --non-decimal-data -N --use-lc-numeric -M --bignum -O --optimize -V --version -h --help --csv",
    // `-W source=…` is `--source=…`.
    runs: "-W",
    turns: "-f --file -i --include -l --load -E --exec -o --pretty-print -p --profile -d --dump-variables -D --debug",
    values: "vFfW",
    code: "awk",
  },
  sort: {
    harmless: ALL_OTHERS,
    runs: "--compress-program",
    writes: "-o --output",
    turns: "-T --temporary-directory --files0-from",
    values: "kSt",
  },
  uniq: { harmless: ALL_OTHERS, operands: { from: 1, why: "writes a file" }, values: "fsw" },
  shuf: { harmless: ALL_OTHERS, writes: "-o --output", values: "in" },
  split: { harmless: ALL_OTHERS, runs: "--filter", writes: "-a", operands: { why: "writes files" } },
  csplit: { harmless: ALL_OTHERS, operands: { why: "writes files" } },
  tee: { harmless: ALL_OTHERS, files: { kind: "write" } },
  tree: { harmless: ALL_OTHERS, writes: "-o --output -R" },
  date: {
    harmless: ALL_OTHERS,
    turns: "-s --set -f --file -r --reference",
    values: "d",
    operands: { pattern: /^[^+]/, why: "sets the clock" },
  },
  hostname: { harmless: ALL_OTHERS, turns: "-F --file -b", operands: { why: "sets the name of the machine" } },
  man: {
    harmless:
      "-k --apropos -f --whatis -a --all -w -W --where --path -s -S --sections -K --global-apropos -i --ignore-case -I --match-case -u --update --regex --wildcard --names-only -h --help -V --version",
    runs: "-P --pager -H --html -C --config-file -M -m -l --local-file -E -T -X -Z -t -R",
  },
  less: {
    harmless:
      "-S -R -r -N -n -F -X -i -I -M -m -E -e -s -q -Q -K -c -g -G -w -W -a -f -u -U -V --chop-long-lines --RAW-CONTROL-CHARS --LINE-NUMBERS --quit-if-one-screen --no-init --ignore-case --version --help",
    runs: "-k --lesskey-file --lesskey-src --lesskey-content -o --log-file -O --LOG-FILE -T --tag-file -t --tag -p --pattern",
    operands: { pattern: /^\+/, why: STARTS.pagerCommand },
    files: { kind: "read" },
  },
  more: { harmless: ALL_OTHERS, operands: { pattern: /^\+/, why: STARTS.pagerCommand }, files: { kind: "read" } },
  jq: { harmless: ALL_OTHERS, turns: "-f --from-file -L --library-path --slurpfile --rawfile --argfile", values: "" },
  yq: {
    harmless:
      "-r -e -n -P -o -p -j -c -C -M -N -S -I -y -Y -V -v -h --raw-output --output-format --input-format --prettyPrint --exit-status --null-input --colors --no-colors --no-doc --indent --tojson --compact-output --sort-keys --yaml-output --version --help",
    values: "opI",
    writes: "-i --inplace -s --split-exp",
    turns: "-f --from-file",
  },
  rg: {
    harmless: ALL_OTHERS,
    runs: "--pre --search-zip -z --hostname-bin",
    turns: "-f --file --ignore-file --pre-glob",
    values: "eAgBCdEjMmrtT",
  },
  ag: { harmless: ALL_OTHERS, runs: "--pager", turns: "-p --path-to-ignore" },
  ack: {
    harmless:
      "-i -v -w -l -L -c -n -h -H -s -x -1 -A -B -C -m -o -Q --ignore-case --invert-match --word-regexp --files-with-matches --count --no-filename --color --nocolor --nogroup --group --type --python --perl --js --ruby --cc --html --version --help",
    values: "ABCm",
    runs: "--pager --ackrc",
  },
  bat: {
    harmless:
      "-p --plain -n --number -A --show-all -r --line-range -l --language -H --highlight-line --style --color --theme --tabs --wrap --terminal-width -P --decorations --list-languages --list-themes -L -V --version -h --help",
    values: "rlH",
    looks: /^--paging=never$/,
    runs: "--pager --diff-cmd",
    turns: "--config-file",
  },
  grep: { harmless: ALL_OTHERS, turns: "-f --file --exclude-from", values: "ABCDdem" },
  cat: READS,
  tac: READS,
  head: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "nc" },
  tail: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "nc", turns: "--pid" },
  nl: READS,
  od: READS,
  hexdump: { harmless: ALL_OTHERS, files: { kind: "read" }, turns: "-f", values: "ens" },
  strings: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "ntes" },
  base64: READS,
  base32: READS,
  md5sum: READS,
  sha1sum: READS,
  sha256sum: READS,
  sha512sum: READS,
  b2sum: READS,
  cksum: READS,
  cmp: READS,
  paste: READS,
  rev: READS,
  wc: { harmless: ALL_OTHERS, files: { kind: "read" }, turns: "--files0-from" },
  du: { harmless: ALL_OTHERS, turns: "--files0-from -X --exclude-from" },
  xxd: { harmless: ALL_OTHERS, writes: "-r -revert", operands: { from: 1, why: "writes a file" } },
  dd: { harmless: ALL_OTHERS, operands: { pattern: /^of=/, why: "writes a file" } },
  file: { harmless: ALL_OTHERS, writes: "-C --compile", turns: "-m --magic-file -f --files-from", values: "eFP" },
  tar: {
    harmless: ALL_OTHERS,
    runs: "--to-command --checkpoint-action -I --use-compress-program --rsh-command --rmt-command -F --info-script --new-volume-script",
    writes:
      "-x --extract --get -c --create --index-file --volno-file -g --listed-incremental -r --append -u --update -A --catenate --concatenate --delete --remove-files -f --file",
    turns: "-T --files-from -C --directory -P --absolute-names -X --exclude-from",
    operands: { from: 0, pattern: /^[a-zA-Z]*[xcruAIfFTCPX][a-zA-Z]*$/, why: STARTS.archive },
  },
  zip: { harmless: ALL_OTHERS, runs: "-TT --unzip-command -T --test", operands: { why: "writes a file" } },
  unzip: { harmless: ALL_OTHERS, writes: "-o -d -x", operands: { why: "writes files" } },
  gzip: { harmless: ALL_OTHERS, operands: { why: "replaces files" } },
  gunzip: { harmless: ALL_OTHERS, operands: { why: "replaces files" } },
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  ex: EDITOR,
  ed: { operands: { why: STARTS.editor } },
  emacs: EDITOR,
  nano: { operands: { why: STARTS.editor } },
  patch: {
    harmless:
      "-p --strip -R --reverse -N --forward -f --force -t --batch -u --unified -c --context -n --normal -l --ignore-whitespace -b --backup -s --silent --quiet --dry-run --verbose -E --remove-empty-files -F --fuzz --binary -v --version --help",
    values: "pF",
    writes: "-o --output -i --input -r --reject-file -d --directory",
    operands: { why: "changes files" },
  },
  crontab: { operands: { why: STARTS.later } },
  at: { operands: { why: STARTS.later } },
  echo: PLAIN,
  pwd: PLAIN,
};

export const PROFILES: ReadonlyMap<string, Profile> = new Map(Object.entries(BY_NAME));
