import { INTERPRETERS, type Interpreter, POWERSHELL } from "./interpreters.ts";

const SHELL: Interpreter = { code: "-c" };
const SCRIPTS: Interpreter = { code: "-e --eval -p --print -pe", loads: "-r --require --import --loader" };

/** Languages of which no more is known than where code stands. Values of script tools are not given to them unasked. */
export const MORE_INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  ...Object.fromEntries(
    "rc es elvish xonsh oksh loksh lksh yash posh hush ksh93 rksh pdksh osh ysh bash-static sash zsh-static"
      .split(" ")
      .map((name): [string, Interpreter] => [name, SHELL]),
  ),
  nu: { code: "-c --commands -e --execute", loads: "--config --env-config -I --plugin-config --plugins" },
  powershell: { code: "-c -Command -EncodedCommand -e", loads: "-File", looks: POWERSHELL },
  tsx: { ...SCRIPTS, done: "-v --version --help" },
  "ts-node": { ...SCRIPTS, done: "-v --version --help" },
  "babel-node": { ...SCRIPTS, done: "-V --version -h --help" },
  coffee: { code: "-e --eval", loads: "-r --require --nodejs", done: "-v --version -h --help" },
  jrunscript: { code: "-e", loads: "-cp -classpath -J -l", done: "-f -q -? -help" },
  ipython: { code: "-c", modules: true, loads: "-i --ext --config --profile-dir", done: "-m -V --version -h --help" },
  bpython: { code: "-c", loads: "-i --config", done: "-V --version" },
  jython: { code: "-c", modules: true, loads: "-i", done: "-m -V --version" },
  micropython: { code: "-c", modules: true, loads: "-i", done: "-m --version" },
  irb: { code: "-e", loads: "-r -I -f", done: "-v --version" },
  pry: { code: "-e --exec", loads: "-r -I --rcfile", done: "-v --version" },
  R: { code: "-e", done: "CMD -f --file --version --help" },
  octave: { code: "--eval", loads: "--path -p --image-path", done: "--version --help" },
  "octave-cli": { code: "--eval", loads: "--path -p", done: "--version --help" },
  matlab: { code: "-r -batch", done: "-help" },
  ocaml: { code: "-e", loads: "-I -init -require -load", done: "-version -vnum" },
  kotlin: { code: "-e -expression", done: "-version -help" },
  jshell: { code: "", loads: "-R -J --class-path --startup", done: "--version --help" },
  bb: { code: "-e --eval", done: "--version --help tasks run" },
  racket: { code: "-e --eval", done: "--version --help", loads: "-t -l -f -r -u" },
  csi: { code: "-e -eval -p -print", loads: "-R -require-extension", done: "-version -help -s -ss -script" },
  sbcl: { code: "--eval", loads: "--load --userinit --sysinit", done: "--version --help --script" },
  clisp: { code: "-x", loads: "-i -p", done: "--version --help" },
  ecl: { code: "-eval", loads: "-load", done: "--version --help -shell --shell" },
  guile: { code: "-c", loads: "-l -e -L -C -x", done: "-v --version -h --help" },
  erl: { code: "-eval -s -run", loads: "-pa -pz -config -boot", done: "-version" },
  iex: { code: "-e --eval", loads: "-r -S -pa -pz", done: "-v --version" },
  swipl: { code: "-g -t --goal", loads: "-l -f -x --script-file", done: "--version --help" },
  gprolog: { code: "--query-goal --entry-goal --init-goal", loads: "--consult-file", done: "--version --help" },
  raku: { code: "-e", loads: "-I -M", done: "-v -V --version --help" },
  perl6: { code: "-e", loads: "-I -M", done: "-v -V --version --help" },
  crystal: { code: "eval", done: "run build spec tool docs init play env --version --help" },
};

const LANGUAGES: ReadonlySet<string> = new Set([
  ...["awk", "sed"],
  ...Object.keys(INTERPRETERS),
  ...Object.keys(MORE_INTERPRETERS),
]);

/** Whether a text behind a program of this name is code. Shells are not among them: what they are given is read. */
export const isLanguage = (name: string): boolean => LANGUAGES.has(name);
