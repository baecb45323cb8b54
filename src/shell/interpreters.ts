/** A program that runs a language of its own: its code is not read here, so it is shown and has to be named. */
export interface Interpreter {
  /** Options behind which code stands, and letters among them. */
  readonly code: string;
  /** Words that are code, or behind which it stands, by how they look. */
  readonly looks?: RegExp;
  /** Options that load more code, or from elsewhere. */
  readonly loads?: string;
  /** Which of those load nothing, by the value that they are given. */
  readonly harmless?: RegExp;
  /** Options that take a value, so that the next word is no program. */
  readonly values?: string;
  /** It runs modules by `-m`: what stands behind such a name is read as that program's words. */
  readonly modules?: true;
  /** Options with which it runs no program at all, or one that is named otherwise. */
  readonly done?: string;
}

/** Names are cut short, in any case, and begin with one dash, two, or a slash. */
export const POWERSHELL = /^(?:--?|\/)(?:c|e|co\w*|en\w*)$/i;

const NODE: Interpreter = {
  code: "-e --eval -p --print -pe",
  loads:
    "--run -r --require --import --loader --experimental-loader --env-file --env-file-if-exists --inspect --inspect-brk -C --conditions --experimental-config-file --build-snapshot-config --openssl-config --icu-data-dir --diagnostic-dir --report-directory --cpu-prof-dir --redirect-warnings --tls-keylog --trace-event-file-pattern --snapshot-blob --test-reporter --bench-reporter --test-global-setup --entry-url --vfs-load --vfs-mount --experimental-package-map --experimental-default-config-file",
  values:
    "--title --inspect-port --debug-port --disable-warning --unhandled-rejections --input-type --dns-result-order --localstorage-file --secure-heap --secure-heap-min --max-http-header-size --heapsnapshot-signal --heapsnapshot-near-heap-limit --tls-cipher-list --disable-proto --network-family-autoselection-attempt-timeout --trace-require-module --report-filename --report-signal --cpu-prof-name --heap-prof-dir --heap-prof-name --v8-pool-size --watch-path --watch-kill-signal --stack-trace-limit",
  harmless: /^--(?:test|bench)-reporter=(?:spec|tap|dot|junit|lcov)$/,
  done: "-v --version -h --help --test --v8-options --completion-bash --check",
};

const PYTHON: Interpreter = {
  code: "-c",
  modules: true,
  loads: "-i -X --check-hash-based-pycs",
  values: "-W -X",
  done: "-m -V --version -VV -h --help",
};

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  node: NODE,
  nodejs: NODE,
  bun: {
    code: "-e --eval -p --print",
    loads: "-r --preload --config --cwd",
    done: "-v --version run test install x add remove build --help",
  },
  deno: {
    code: "eval repl",
    looks: /^(?:--eval\b|data:)/,
    loads: "--config --import-map",
    done: "-V --version run test fmt lint check cache task install info --help",
  },
  perl: { code: "-e -E", loads: "-M -m -I -i -d -x -S", done: "-v -V" },
  ruby: {
    code: "-e",
    loads: "-r -I -C -i -x -S",
    values: "-E --encoding --external-encoding --internal-encoding",
    done: "-v --version",
  },
  php: {
    code: "-r -B -R -E -F --run --process-begin --process-code --process-end",
    loads: "-d -c -S -z -f --define --php-ini --server --zend-extension --file --process-file",
    done: "-v -i -m --version",
  },
  lua: { code: "-e", loads: "-l -i", done: "-v" },
  luajit: { code: "-e", loads: "-l -i -j", done: "-v" },
  tclsh: { code: "" },
  wish: { code: "" },
  expect: { code: "-c", loads: "-f -d -D" },
  osascript: { code: "-e", loads: "-l" },
  Rscript: { code: "-e", done: "--version" },
  julia: { code: "-e -E --eval --print", loads: "-L --load", done: "-v --version" },
  elixir: { code: "-e --eval --rpc-eval", loads: "-r -S --remsh" },
  groovy: { code: "-e" },
  scala: { code: "-e" },
  pwsh: { code: "-c -Command -EncodedCommand -e", loads: "-File", looks: POWERSHELL },
  zsh: { code: "-c" },
  ksh: { code: "-c" },
  mksh: { code: "-c" },
  fish: { code: "-c -C --command --init-command" },
  csh: { code: "-c" },
  tcsh: { code: "-c" },
};
