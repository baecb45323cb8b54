import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** The files of the console as a module: each with a name that its content gives it, so that browsers may keep it. */
export async function consoleAssets(folder: string): Promise<string> {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const named = [
    asset("main", "js", await bundled(join(folder, "main.ts"))),
    asset("style", "css", read("style.css")),
    asset("icon", "svg", read("icon.svg")),
  ];
  const [script, style, icon] = named.map(({ path }) => path);
  const page = read("index.html")
    .replace('src="main.ts"', `src="${script}"`)
    .replace('href="style.css"', `href="${style}"`)
    .replace('href="icon.svg"', `href="${icon}"`);
  return moduleOf([{ ...asset("index", "html", page), path: "/" }, ...named]);
}

const MEDIA_TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
} as const;

interface Asset {
  readonly path: string;
  readonly mediaType: string;
  readonly hash: string;
  readonly text: string;
}

function asset(name: string, kind: keyof typeof MEDIA_TYPES, text: string): Asset {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { path: `/console/${name}.${hash}.${kind}`, mediaType: MEDIA_TYPES[kind], hash, text };
}

/** One script, as a browser takes it; readable, for who looks at what their browser runs. */
async function bundled(input: string): Promise<string> {
  await using bundle = await rolldown({ input, platform: "browser", tsconfig: false });
  const { output } = await bundle.generate({ format: "esm", minify: false, comments: false });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error("the console is one script");
  return chunk.code.replaceAll(/^\/\/#(end)?region.*\n/gm, "");
}

/** Line by line, so that a change of the console is a change of its lines here. */
function moduleOf(assets: readonly Asset[]): string {
  const rows = assets.map(
    ({ text, ...rest }) => `{ ...${JSON.stringify(rest)}, lines: ${JSON.stringify(text.split("\n"))} }`,
  );
  return `// Made by \`node scripts/write-console.ts\` from console/. Changes here are lost.

export interface Asset {
  /** Where it is found: with the hash of its content in its name, but for the page itself. */
  readonly path: string;
  readonly mediaType: string;
  readonly hash: string;
  readonly lines: readonly string[];
}

export const ASSETS: readonly Asset[] = [${rows.map((row) => row.replace("{ ...{", "{").replace("}, lines", ", lines")).join(",\n")}];
`;
}
