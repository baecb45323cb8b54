import type { Risk } from "../domain/call.ts";
import type { ExecTouch, Word } from "../domain/touch.ts";
import { programName } from "../shell/program-name.ts";

/**
 * Programs that show things and change nothing, unless an option makes them: those are hazards, and never LOW. The S-FLOW
 * seed's list without `patch`, which changes files, and with more of the kind.
 */
const LOW: ReadonlySet<string> = new Set(
  `awk cat cut date diff echo file find grep head locate ls pwd sed sort tail test uname uniq wc whoami : true false [ printf
  basename dirname realpath readlink stat du df ps which type cd tr nl tac rev comm join paste column seq sleep id tree rg jq
  cmp od hexdump strings md5sum sha1sum sha256sum sha512sum cksum exit return break continue wait read shift local set`.split(
    /\s+/,
  ),
);

/** Programs whose work can be undone, or stays in the workspace; by subcommand where it does not. */
const MEDIUM: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  [
    "git",
    /^(?:push|reset|clean|checkout|switch|restore|rebase|rm|gc|prune|filter-branch|update-ref|reflog|stash|remote|config|submodule|pull|clone|am|apply|branch|tag|worktree)$/,
  ],
  [
    "npm",
    /^(?:install|i|ci|add|publish|unpublish|uninstall|remove|rm|update|up|link|exec|x|audit|rebuild|deprecate|owner|token|access)$/,
  ],
  ["pnpm", /^(?:install|i|add|publish|remove|rm|update|up|link|exec|dlx|rebuild)$/],
  ["yarn", /^(?:install|add|publish|remove|upgrade|link|exec|dlx)$/],
  ["pip", /^(?:install|uninstall|download|wheel)$/],
  ["node", null],
  ["php", null],
  ["python", null],
  ["ruby", null],
  ["touch", null],
  ["mkdir", null],
  ["tee", null],
  ["export", null],
  ["eval", null],
]);

/** How much a command can harm, its arguments taken into account. What nothing is known of is HIGH. */
export function commandRisk({ argv, env, origin }: ExecTouch): Risk {
  const [first, ...rest] = argv;
  if (first === undefined || origin === "elsewhere" || origin === "nowhere" || env !== undefined) return "HIGH";
  if (rest.some(({ hazard }) => hazard !== undefined)) return "HIGH";
  const name = programName(first.text);
  if (LOW.has(name)) return rest.every(({ known }) => known) ? "LOW" : "MEDIUM";
  const harmful = MEDIUM.get(name);
  if (harmful === undefined) return "HIGH";
  return harmful !== null && mayBegin(rest, harmful) ? "HIGH" : "MEDIUM";
}

/** Whether a command changes nothing and runs no code, whatever the files say that it is given. */
export const onlyShows = (argv: readonly Word[], env: readonly Word[]): boolean =>
  env.length === 0 && LOW.has(programName(argv[0]?.text ?? "")) && argv.every(({ hazard }) => hazard === undefined);

/** The subcommand is the first word that is no option; what is not known may be any. */
function mayBegin(words: readonly Word[], harmful: RegExp): boolean {
  const [sub] = words.filter(({ text, known }) => !known || !text.startsWith("-"));
  return sub !== undefined && (!sub.known || harmful.test(sub.text));
}
