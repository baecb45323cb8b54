import { CARRIERS } from "./carriers.ts";
import { CODE_TAKERS } from "./code-programs.ts";
import { STARTING_PROGRAMS } from "./launchers.ts";
import { programName } from "./program-name.ts";
import { MISSING } from "./slot-names.ts";
import { ALL_CODE, CODE_BUILTINS, MORE_CARRIERS, STARTERS } from "./starters.ts";

/** What bash does itself. Those that make commands of their arguments have a table of their own. */
const BUILTINS =
  ": . [ bg break cd caller continue declare dirs disown echo exit export false fg getopts help jobs kill local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait";

/**
 * Programs that take all they are given for data: operands, values of options, standard input, variables of the
 * environment. Whoever has an option, a file or a language by which something is run stands in `code-programs.ts` instead,
 * with the places where that is so. A program that is in neither is not known, and gets a value only by its author's word.
 */
const DATA =
  `arch b2sum base32 base64 basename basenc bc bunzip2 bzcat bzip2 cal cat chgrp chmod chown cksum clear cmp col colrm column comm cp
  csplit csvcut csvgrep csvlook csvsort csvstat cut date dd df diff dig dir dircolors dirname dmesg dos2unix du envsubst exa expand
  expr eza factor fallocate file findmnt fmt fold free fuser getconf getent getfacl grep groups gunzip gzip head hexdump host
  hostname hostnamectl htmlq iconv id in2csv join journalctl jot last link ln locale logger logname look ls lsattr lsblk lscpu lsof
  lspci lsusb lz4 lzma md5sum mesg mkdir mkfifo mknod mktemp mountpoint mv namei netstat nl nproc nslookup numfmt od paste
  pathchk pdfinfo pdftotext pgrep ping ping6 pinky pkill pr printenv ps pstree ptx pup pv pwdx qrencode readlink realpath rev rm
  rmdir seq sensors setfacl sha1sum sha224sum sha256sum sha384sum sha512sum shasum shellcheck shred shuf sleep sponge ss
  ssh-keyscan stat strings stty sum sync tac tail tee tokei touch tput tr tracepath traceroute tree truncate ts tsort tty uname
  unexpand uniq units unix2dos unlink unrar unxz unzip unzstd uptime users uuidgen vdir vmstat w wc who whoami whois xmllint
  xsv xxd xz xzcat yamllint yes zcat zipinfo zstd zstdcat`.split(/\s+/);

/** Of some here more is said where their options are; one is our own. */
const PLAIN: ReadonlySet<string> = new Set(
  [...BUILTINS.split(" "), ...DATA, MISSING].filter((name) => !CODE_TAKERS.has(name)),
);

/** Whether anything is said of a program here: that all is data to it, or where it takes code from. */
export const isKnownProgram = (name: string): boolean =>
  PLAIN.has(name) ||
  CODE_TAKERS.has(name) ||
  ALL_CODE.has(name) ||
  CODE_BUILTINS.has(name) ||
  STARTING_PROGRAMS.has(name) ||
  Object.hasOwn(STARTERS, name) ||
  Object.hasOwn(CARRIERS, name) ||
  Object.hasOwn(MORE_CARRIERS, name) ||
  OTHERS.has(name);

/** They have readers of their own. */
const OTHERS: ReadonlySet<string> = new Set("env find xargs exec command builtin eval".split(" "));

/** Whether it prints nothing but what it was given, and keeps nothing for another time. */
export const isPlainProgram = (name: string): boolean => PLAIN.has(name);

/** Whether its author may say that all is data to a program: nothing else is known of it, or only of folders that it is given. */
export const mayBeData = (name: string): boolean =>
  name === "git" || (/^[\w.+-]+$/.test(name) && !isKnownProgram(programName(name)));
