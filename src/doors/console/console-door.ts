import { problem } from "../wire/problem.ts";
import { headersOf } from "../wire/request-headers.ts";
import type { Door } from "../wire/server-env.ts";
import { ASSETS, type Asset } from "./assets.ts";

/**
 * INVARIANT (text only): a browser runs the console's own script and nothing else, whatever a text on its page says; the page
 * talks to this server only, sends no form, and stands in nobody's frame. The last two lines close the ways by which a text
 * becomes markup or script in the first place. A picture is drawn out of its own address, which nobody hears of.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What the page needs of the machine it runs on: nothing. */
const PERMISSIONS = "camera=(), microphone=(), geolocation=(), usb=(), serial=(), display-capture=()";

/** The page is asked for anew each time; what it names has its content's hash in its name. */
const KEPT = "public, max-age=31536000, immutable";
const ASKED_FOR = "no-cache";

/**
 * The web console: files that hold no data, and so need no token. They are sent out of memory: no part of a request is ever
 * a path of the machine.
 */
export const consoleDoor: Door = {
  name: "console",
  publicPaths: ASSETS.map(({ path }) => path),
  mount: (app) => {
    for (const asset of ASSETS) {
      const body = asset.lines.join("\n");
      const headers = headersFor(asset);
      app.get(asset.path, (context) => {
        context.set("route", asset.path);
        const known = headersOf(context.env.incoming).get("if-none-match");
        return isKnown(known, headers.ETag)
          ? new Response(null, { status: 304, headers })
          : new Response(body, { headers });
      });
      app.all(asset.path, () =>
        problem("METHOD_NOT_ALLOWED", { detail: "this is a file", headers: { Allow: "GET, HEAD" } }),
      );
    }
  },
};

const headersFor = ({ path, mediaType, hash }: Asset) => ({
  "Content-Type": mediaType,
  "Content-Security-Policy": POLICY,
  "Permissions-Policy": PERMISSIONS,
  "Cache-Control": path === "/" ? ASKED_FOR : KEPT,
  ETag: `"${hash}"`,
});

/** RFC 9110, section 13.1.2: compared weakly. */
const isKnown = (given: string | null, etag: string): boolean =>
  given?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
