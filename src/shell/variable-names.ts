/** Looked up, not matched: names of variables are asked about for each loop and assignment. `LD_*`: all that begin so. */
function listed(text: string): (name: string) => boolean {
  const words = text.split(/\s+/);
  const names = new Set(words.filter((word) => !word.endsWith("*")));
  const heads = words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
  return (name) => names.has(name) || heads.some((head) => name.startsWith(head));
}

/** Variables that change what bash itself does with the rest of the script, or what any program loads or runs. */
const isChanging = listed(
  `PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS BASH_ALIASES BASH_CMDS BASH_ARGV0 BASH_COMPAT BASH_LOADABLES_PATH BASH_XTRACEFD
  BASH_FUNC_* PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE EXECIGNORE FIGNORE POSIXLY_CORRECT HISTFILE HISTCONTROL HOSTFILE
  INPUTRC TEXTDOMAIN TEXTDOMAINDIR SHELL LD_* DYLD_* GCONV_PATH LOCPATH NLSPATH GETCONF_DIR MALLOC_* GLIBC_TUNABLES COMP_* READLINE_*
  FUNCNEST auto_resume histchars TMOUT`,
);

/** Variables that programs only let their output be shaped by. */
const isShaping = listed(
  `LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM COLUMNS LINES CI NODE_ENV RAILS_ENV RACK_ENV
  RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED DEBIAN_FRONTEND GIT_TERMINAL_PROMPT GIT_PAGER_IN_USE
  VERBOSE DEBUG TIMEFORMAT`,
);
const LOCALE = /^LC_[A-Z]+$/;

/** Bash computes with what these are set to: `RANDOM='a[$(x)]'` runs x. What they hold by themselves is a number. */
export const isComputedWhenSet = listed(
  "RANDOM SRANDOM OPTIND HISTCMD SECONDS LINENO BASHPID BASH_SUBSHELL EPOCHSECONDS EPOCHREALTIME",
);

export const changesExecution = (name: string): boolean => isChanging(name) || isComputedWhenSet(name);

export const isHarmless = (name: string): boolean => isShaping(name) || LOCALE.test(name);

/**
 * What every process has, by itself or by the sandbox: a plain assignment to one of these reaches the programs that follow
 * it. `GIT_CONFIG_SYSTEM=./a; git status` has git run what the file says.
 */
export const isInherited = listed(
  `HOME USER LOGNAME PWD OLDPWD TMPDIR TMP TEMP XDG_* EDITOR VISUAL PAGER MAIL GIT_* NODE_USE_ENV_PROXY
  http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY`,
);

/** Variables by which programs are told what to run or to load, or where their settings are. */
const CODE_TO_PROGRAMS =
  /^(?:HOME|XDG_CONFIG_.*|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESS|LESSOPEN|LESSCLOSE|LESSKEY.*|NODE_OPTIONS|NODE_PATH|npm_config_.*|PYTHON(?:PATH|STARTUP|HOME|BREAKPOINT|WARNINGS|EXECUTABLE|PLATLIBDIR)|PERL5.*|PERLLIB|RUBY(?:OPT|LIB)|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_INI_SCAN_DIR|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|GIT_.*|SSH_ASKPASS|SUDO_ASKPASS|SVN_.*|HG.*|CARGO_.*|RUSTC.*|RUSTFLAGS|GO(?:FLAGS|ENV|ROOT|PATH)|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|CC|CXX|CPP|LD|AWKPATH|AWKLIBPATH|TAR_OPTIONS|XZ_(?:OPT|DEFAULTS)|GZIP|SYSTEMD_.*|FCEDIT|ZDOTDIR|PSQLRC|PSQL_.*|PGSERVICEFILE|PGSYSCONFDIR|EXINIT|VIMINIT|GVIMINIT|MYVIMRC|EMACSLOADPATH|TERMINFO.*|TERMCAP|OPENSSL_CONF|OPENSSL_MODULES|CURL_HOME|WGETRC|DOCKER_HOST|KUBECONFIG|RSYNC_.*|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|PIP_.*|TF_CLI_.*|HELM_.*|ANSIBLE_.*|UV_.*|(?:UN)?ZIP(?:OPT)?|MAN(?:OPT|PATH)|GNUPGHOME|MAGICK_.*|FFREPORT|GCC_EXEC_PREFIX|COMPILER_PATH|LIBRARY_PATH|CPATH|C(?:PLUS)?_INCLUDE_PATH|[BD]C_ENV_ARGS|M4PATH|GS_.*|MYSQL_HOME|PGOPTIONS|LOCALE_ARCHIVE|XML_CATALOG_FILES|SSLKEYLOGFILE|OPENSSL_ENGINES|AWS_CONFIG_FILE|GIO_.*|GTK_.*|QT_.*|XDG_DATA_.*)$/;

/** Languages, builders and launchers have many of their own, and all of them say how they work. */
const OF_LANGUAGES =
  /^(?:ANT|AWK|BUILDX|BUN|CMAKE|COMPOSE|CONTAINERS|CTEST|DENO|DOCKER|EMACS|GAWK|GRADLE|GUILE|JAVA|JDK|JULIA|LUA|MAVEN|NODE|NPM|PERL|PHP|PNPM|POETRY|PYTEST|PYTHON|RUBY|R_|SBT|TCL|TEX|TOX|VIM|YARN)/;

export const isCodeToPrograms = (name: string): boolean =>
  CODE_TO_PROGRAMS.test(name) || (OF_LANGUAGES.test(name) && !isHarmless(name));
