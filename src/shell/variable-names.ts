/** Variables that change what bash itself does with the rest of the script, or what any program loads or runs. */
const CHANGES_EXECUTION =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|BASH_ALIASES|BASH_CMDS|BASH_ARGV0|BASH_COMPAT|BASH_LOADABLES_PATH|BASH_XTRACEFD|BASH_FUNC_.*|PS0|PS1|PS2|PS3|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|POSIXLY_CORRECT|HISTFILE|HISTCONTROL|HOSTFILE|INPUTRC|TEXTDOMAIN|TEXTDOMAINDIR|SHELL|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GETCONF_DIR|MALLOC_.*|GLIBC_TUNABLES|COMP_.*|READLINE_.*|FUNCNEST|auto_resume|histchars|TMOUT)$/;

/** Variables that programs only let their output be shaped by. */
const HARMLESS =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|TERM|COLUMNS|LINES|CI|NODE_ENV|RAILS_ENV|RACK_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|DEBIAN_FRONTEND|GIT_TERMINAL_PROMPT|GIT_PAGER_IN_USE|VERBOSE|DEBUG|TIMEFORMAT)$/;

/** Bash computes with what these are set to: `RANDOM='a[$(x)]'` runs x. What they hold by themselves is a number. */
const COMPUTED_WHEN_SET =
  /^(?:RANDOM|SRANDOM|OPTIND|HISTCMD|SECONDS|LINENO|BASHPID|BASH_SUBSHELL|EPOCHSECONDS|EPOCHREALTIME)$/;

export const isComputedWhenSet = (name: string): boolean => COMPUTED_WHEN_SET.test(name);

export const changesExecution = (name: string): boolean => CHANGES_EXECUTION.test(name) || isComputedWhenSet(name);

export const isHarmless = (name: string): boolean => HARMLESS.test(name);

/** What every process has: a plain assignment to one of these reaches the programs that follow it. */
const INHERITED = /^(?:HOME|USER|LOGNAME|PWD|OLDPWD|TMPDIR|TMP|TEMP|XDG_.*|EDITOR|VISUAL|PAGER|MAIL)$/;

export const isInherited = (name: string): boolean => INHERITED.test(name);
