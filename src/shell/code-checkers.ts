import type { CodeTaker } from "./code-taker.ts";

/** Settings of these are code, or name what is loaded; they look for them unasked. */
export const CHECKER: CodeTaker = {
  strict: true,
  files:
    "-c --config --config-file --rcfile --plugin --plugins --load-plugins --init-hook --rulesdir --resolve-plugins-relative-to --parser",
  values:
    "--ext --ignore-pattern --ignore-path --format -f --max-warnings --parser-options --stdin-filename --stdin-filepath --line-length -l",
  flags:
    "-q --quiet --check --fix --diff --write -w --list-different --no-color --color --cache --version --help --verbose -v",
  unasked:
    /^\.(?:eslint|prettier|babel|pylint)|\.config\.\w+$|^(?:package|tsconfig)\.json$|^(?:setup\.cfg|pyproject\.toml|pylintrc|tox\.ini)$/,
  inFolder: true,
  fix: "write the settings out, and give the value behind `--`",
};

/** These look for them in the folder of each file. */
export const FORMATTER: CodeTaker = {
  ...CHECKER,
  files: `${CHECKER.files} --stdin-filename --stdin-filepath`,
  flags: `${CHECKER.flags} --stdin`,
  beside: true,
  fix: "give the file as its input, by a name that is written out: `--stdin-filepath a.ts < {{x}}`",
};
