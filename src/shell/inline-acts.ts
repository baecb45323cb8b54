import type { CodeActs } from "./code-acts.ts";
import { unknownModule } from "./inline-modules.ts";

/** By the language, what makes code or commands of texts: looked for as words, not understood. */
const RUNS: Readonly<Record<string, RegExp>> = {
  python:
    /(?<![.\w])(?:exec|eval|compile|__import__|execfile)\s*\(|\bos\s*\.\s*(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|\b(?:subprocess|runpy|importlib|pickle|marshal|shelve|ctypes|pty|pdb|builtins|__builtins__|pexpect)\b|\bimport\s+os\s+as\b|\bos\s+as\b|from\s+os\s+import|\byaml\s*\.\s*(?!safe_|dump)\w|from\s+yaml\b|\byaml\s+as\b|create_subprocess_|\.(?:query|eval)\s*\(|\bsys\s*\.\s*(?:path|modules|meta_path)\b|\b(?:read_pickle|allow_pickle|sympify|getattr|globals)\b|__(?!name__|main__|file__)\w+__|\b(?:import|from)\b[^\n;]*\b(?:jinja2|mako|sympy|numexpr|dill|joblib|cloudpickle|torch|multiprocessing|code|codeop|timeit|trace|c?[pP]rofile|bdb|doctest|imp|zipimport|commands|sh|plumbum|fabric|invoke)\b/m,
  node: /(?<![.\w])(?:eval|Function|setTimeout)\s*\(|\bchild_process\b|\bvm\b|\bnew\s+Function\b|\bprocess\s*\.\s*(?:binding|dlopen)|(?:require|import)\s*\(\s*(?!["'](?:node:)?[a-z][\w/-]*["'])|\bmodule\s*\.\s*_load|\bcluster\b|\bWorker\b|\bconstructor\b|\b(?:shelljs|execa|zx|lodash|underscore|ejs|pug|nunjucks|handlebars|vm2|repl|inspector|createRequire)\b|_\s*\.\s*template\b|\b(?:globalThis|Reflect)\b|\bglobal\s*[.[]|\[\s*process\s*\.\s*argv/,
  perl: /(?<![\w$@%])(?:eval|system|exec|qx|do|require|open|fork|glob|readpipe)\b|`|\/[a-z]*e[a-z]*\s*(?:[;}]|$)|\|\s*-?["']|\(\?\??\{|@ARGV\b(?=\s*=|\s*,)|\b(?:IPC|Storable|YAML|syscall)\b/m,
  ruby: /(?<![\w.])(?:eval|system|exec|spawn|open|load|require_relative|syscall|fork|send|public_send|trap)\b|`|%x|\.(?:instance_eval|class_eval|module_eval|popen|send|constantize|public_send)\b|\bIO\b|\bKernel\b|\bMarshal\b|\bYAML\b|\bPsych\b|\bERB\b|\bURI\s*\.\s*open|\bOpen3\b|\bPTY\b|\bconst_get\b|\bautoload\b/,
  php: /(?<![\w$>])(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|include|include_once|require|require_once|create_function|call_user_func\w*|unserialize|preg_replace|mail|dl|putenv|array_map|usort)\b|`|(?:\$\w+|\])\s*\(/,
  lua: /\bos\s*\.\s*execute|\bio\s*\.\s*popen|(?<![\w.])(?:load|loadstring|dofile|loadfile|require)\b|\bpackage\b|\bdebug\b/,
};
const LIKE: Readonly<Record<string, string>> = {
  pypy: "python",
  nodejs: "node",
  luajit: "lua",
  tsx: "node",
  "ts-node": "node",
};

/** Texts in the code that may be names of files. */
const FILE = /["']([\w./@+-]*[\w@+-])["']/g;

const UNREAD: CodeActs = { runs: true, writes: [null], reads: true };

/**
 * What code in a language that is not read may do with values: it is looked for the words by which texts are run, and what
 * may be a file's name in it may be written to. Where there is no such list, it may do anything.
 */
export const inlineActs =
  (name: string) =>
  (code: string): CodeActs => {
    const runs = RUNS[LIKE[name] ?? name];
    if (runs === undefined) return UNREAD;
    const files = [...code.matchAll(FILE)].flatMap(([, file]) => (file === undefined ? [] : [file]));
    const isOdd = runs.test(code) || unknownModule(LIKE[name] ?? name, code) !== null;
    return { runs: isOdd, writes: files, reads: true };
  };
