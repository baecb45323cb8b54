import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Dialog,
  type Page,
  type Request,
} from "playwright-core";
import { ADMIN, type TestServer } from "./test-server.ts";

const CHROMIUM = "/usr/bin/chromium";
/** For what hangs, and not for what is slow. */
const PATIENCE_MS = 120_000;

/** The address bar's list is a page of its own in every window, and takes longer to open than the console. */
const OUR_FEATURES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** What Playwright turns off: Chromium heeds only the last of such lists. */
const PLAYWRIGHTS_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];
const DISABLED = [...PLAYWRIGHTS_FEATURES, ...OUR_FEATURES].join(",");

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", `--disable-features=${DISABLED}`] });

/** A tab with the console in it, and what it did beside showing it. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** Of each request: its address. */
  readonly requested: readonly string[];
  /** What must not be there: errors, messages, dialogs, and what the policy had to stop. */
  readonly complaints: () => Promise<readonly string[]>;
}

/** In the page: what its policy had to stop. As a text, since the browser's names are no part of what is compiled here. */
const NOTE_WHAT_IS_STOPPED = `
  globalThis.stopped = [];
  addEventListener("securitypolicyviolation", (event) =>
    stopped.push("policy: " + event.violatedDirective + " " + event.blockedURI));
`;

interface OpenOptions extends BrowserContextOptions {
  /** Null: none is given. */
  readonly token?: string | null;
  readonly at?: string;
  /** Time stands until the test moves it. */
  readonly clock?: "by hand";
  /** A script that runs before the console's own. */
  readonly before?: string;
  /** `own`: one that nobody has been in, and nobody will be: for who changes it, or is about what stays in it. */
  readonly tab?: "own";
}

/** Tabs that a test is done with. Opening one takes a second, and the next test's server is another site to it. */
const idle = new WeakMap<Browser, Page[]>();

export async function openConsolePage(
  browser: Browser,
  { url }: Pick<TestServer, "url">,
  { token = ADMIN, at, clock, before, tab, ...options }: OpenOptions = {},
): Promise<ConsolePage> {
  const own = [clock, before, tab, ...Object.values(options)].some((option) => option !== undefined);
  const page = (own ? undefined : idle.get(browser)?.pop()) ?? (await newTab(browser, options));
  const requested: string[] = [];
  const seen: string[] = [];
  const onRequest = (request: Request) => void requested.push(request.url());
  const onError = (error: Error) => void seen.push(`error: ${error.message}`);
  const onDialog = (dialog: Dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  };
  page.on("request", onRequest).on("pageerror", onError).on("dialog", onDialog);
  if (before !== undefined) await page.addInitScript(before);
  if (clock === "by hand") await page.clock.install();
  const code = token === null ? null : await loginCode(url, token);
  await page.goto(code === null ? url : `${url}/#code=${code}`);
  if (token !== null && code === null) await fillIn(page, token);
  if (at !== undefined) await page.goto(`${url}/${at}`);
  return {
    page,
    requested,
    complaints: async () => [...seen, ...((await page.evaluate("stopped")) as string[])],
    [Symbol.asyncDispose]: async () => {
      if (own) return await page.context().close();
      page.off("request", onRequest).off("pageerror", onError).off("dialog", onDialog);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.evaluate("sessionStorage.clear()");
      await page.goto("about:blank");
      idle.set(browser, [...(idle.get(browser) ?? []), page]);
    },
  };
}

/** Null: the server gives this token no code. */
export async function loginCode(url: string, token: string): Promise<string | null> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/login/code`, { method: "POST", headers, body: "{}" });
  return answer.ok ? ((await answer.json()) as { readonly code: string }).code : null;
}

async function fillIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
}

async function newTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.addInitScript(NOTE_WHAT_IS_STOPPED);
  return page;
}
