import { type FormatRule, lazyRule, tokenRule, type Vendor } from "./format-rule.ts";
import { NAMED_VALUES, TOKENS } from "./gitleaks-rules.ts";
import { isPlaceholder } from "./value-judge.ts";

/** The vendor's own alphabet and length are proof enough; documentation that is redacted as well does no harm. */
const ANY_FILLING = { filling: "allowed", entropyMin: 0 } as const;
const NO_EXAMPLE = { accepts: (value: string) => !isPlaceholder(value) };
const HAS_DIGIT = { accepts: (value: string) => /[0-9]/.test(value) };

/** Tokens that say whose they are. Sources: the vendors' documentation, and the rule sets of gitleaks and secretlint (MIT). */
const VENDORS: readonly Vendor[] = [
  // The token of a session of this very gate.
  ["toolgate-token", "tgs_", "tgs_[0-9A-Za-z_-]{1,128}\\.[0-9A-Za-z_-]{43}"],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "gh[pousr]_[A-Za-z0-9]{36,255}"],
  ["github-token", "github_pat_", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59,255}|github_pat_[A-Za-z0-9_]{36,255}"],
  [
    "gitlab-token",
    "glpat- gldt- glrt- glptt- glft- glsoat- glimt- glagent- glcbt- gloas- glffct-",
    "gl(?:pat|dt|rt|ptt|ft|soat|imt|agent|cbt|oas|ffct)-[A-Za-z0-9_.-]{20,300}",
  ],
  ["gitlab-token", "gr1348941", "GR1348941[A-Za-z0-9_-]{20,50}"],
  ["aws-key-id", "akia asia abia acca", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}", NO_EXAMPLE],
  ["aws-bedrock-key", "absk", "ABSK[A-Za-z0-9+/]{109,269}={0,2}", ANY_FILLING],
  ["aws-bedrock-key", "bedrock-api-key-", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=%-]{0,4000}"],
  ["google-api-key", "aiza", "AIza[A-Za-z0-9_-]{35}"],
  ["google-oauth", "gocspx-", "GOCSPX-[A-Za-z0-9_-]{28}"],
  ["google-oauth", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,2000}"],
  ["stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", "[sr]k_(?:live|test)_[A-Za-z0-9]{24,247}", ANY_FILLING],
  ["stripe-key", "sk_test_ sk_live_", "sk_(?:live|test)_[A-Za-z0-9]{10,23}", HAS_DIGIT],
  ["stripe-key", "whsec_", "whsec_[A-Za-z0-9+/=]{32,64}"],
  ["slack-token", "xox", "xox[a-z](?:\\.xox[a-z])?-(?:[0-9]{1,3}-)?[0-9]{8,20}(?:-[A-Za-z0-9]{6,200}){1,4}(?!-)"],
  ["slack-token", "xoxe", "xoxe(?:\\.xox[bp])?-[0-9]-[A-Za-z0-9]{100,300}"],
  ["slack-token", "xapp-", "xapp-[0-9]-[A-Za-z0-9]{6,20}-[0-9]{6,20}-[A-Za-z0-9]{20,100}"],
  ["openai-key", "sk-", "sk-(?:proj|svcacct|admin|or-v1|lf|None)-[A-Za-z0-9_-]{20,300}", HAS_DIGIT],
  ["openai-key", "sk-", "sk-[A-Za-z0-9]{20,300}", HAS_DIGIT],
  ["anthropic-key", "sk-ant-", "sk-ant-(?:[a-z]{2,10}[0-9]{2}-)?[A-Za-z0-9_-]{20,300}", HAS_DIGIT],
  ["jwt", "eyj", "eyJ[A-Za-z0-9_-]{8,4000}\\.eyJ[A-Za-z0-9_-]{8,12000}(?:\\.[A-Za-z0-9_-]{0,4000})?"],
  ["npm-token", "npm_", "npm_[A-Za-z0-9]{36}"],
  ["pypi-token", "pypi-", "pypi-[A-Za-z0-9_-]{50,1000}"],
  ["rubygems-token", "rubygems_", "rubygems_[a-f0-9]{48}"],
  ["crates-token", "cio", "cio[A-Za-z0-9]{32}"],
  [
    "azure-client-secret",
    "0q~ 1q~ 2q~ 3q~ 4q~ 5q~ 6q~ 7q~ 8q~ 9q~",
    "[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![~.])",
    { back: 3 },
  ],
  ["azure-key", "accountkey sharedaccesskey", "(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{40,88}={0,2})"],
  ["twilio-key", "sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf", "SK[0-9a-f]{32}"],
  ["sendgrid-key", "sg.", "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"],
  ["mailgun-key", "key-", "key-[0-9a-f]{32}"],
  ["mailchimp-key", "-us", "[0-9a-f]{32}-us[0-9]{1,2}", { back: 32 }],
  ["telegram-token", ":aa", "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}", { back: 10 }],
  ["telegram-token", ":aa", "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}", { back: 9 }],
  ["discord-token", "discord", "discord[^\\n]{0,60}?[^\\w.](?<secret>[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38})"],
  ["discord-webhook", "discord", "discord(?:app)?\\.com/api/webhooks/[0-9]{17,20}/(?<secret>[\\w-]{60,72})"],
  [
    "slack-webhook",
    "hooks.slack.com",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9/_-]{24,120})",
  ],
  ["huggingface-token", "hf_", "hf_[A-Za-z]{34}"],
  ["huggingface-token", "api_org_", "api_org_[A-Za-z]{34}"],
  ["groq-key", "gsk_", "gsk_[A-Za-z0-9]{52}"],
  ["replicate-token", "r8_", "r8_[A-Za-z0-9]{37,40}"],
  ["perplexity-key", "pplx-", "pplx-[A-Za-z0-9]{40,60}"],
  ["xai-key", "xai-", "xai-[A-Za-z0-9]{70,90}"],
  ["vault-token", "hvs. hvb. hvr.", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}", { entropyMin: 3.5 }],
  ["onepassword-token", "ops_eyj", "ops_eyJ[A-Za-z0-9+/=_-]{200,4000}"],
  ["grafana-token", "glc_", "glc_eyJ[A-Za-z0-9+/=]{30,400}"],
  ["grafana-token", "glsa_", "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["notion-token", "ntn_", "ntn_[0-9]{11}[A-Za-z0-9]{35}"],
  ["linear-key", "lin_api_ lin_oauth_", "lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"],
  ["figma-token", "figd_", "figd_[A-Za-z0-9_-]{40,80}"],
  ["cloudflare-token", "cfat_ cfut_ cfk_", "cf(?:at|ut|k)_[A-Za-z0-9]{40}[a-f0-9]{8}"],
  ["docker-token", "dckr_pat_ dckr_oat_", "dckr_[po]at_[A-Za-z0-9_-]{27,40}"],
  ["shopify-token", "shpat_ shpss_ shpca_ shppa_", "shp(?:at|ss|ca|pa)_[A-Za-z0-9]{32,40}"],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "vc[piark]_[A-Za-z0-9]{24,80}"],
  ["sourcegraph-token", "sgp_", "sgp_(?:local_|[A-Fa-f0-9]{16}_)?[A-Fa-f0-9]{40}"],
  ["tailscale-key", "tskey-", "tskey-[a-z]{2,12}-[A-Za-z0-9]{8,30}-[A-Za-z0-9]{20,40}", ANY_FILLING],
  ["openshift-token", "sha256~", "sha256~[A-Za-z0-9_-]{43}"],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "do[por]_v1_[a-f0-9]{64}"],
  ["databricks-token", "dapi", "dapi[a-f0-9]{32}(?:-[0-9])?"],
  ["atlassian-token", "atatt3", "ATATT3[A-Za-z0-9_=-]{100,250}"],
  ["postman-key", "pmak-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"],
  ["newrelic-key", "nrak-", "NRAK-[A-Z0-9]{27}"],
  ["planetscale-token", "pscale_", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,64}"],
  ["supabase-token", "sbp_", "sbp_[a-f0-9]{40}"],
  ["heroku-key", "hrku-", "HRKU-[A-Za-z0-9_-]{36,80}"],
  ["doppler-token", "dp.pt. dp.st.", "dp\\.[ps]t\\.[A-Za-z0-9_.-]{40,80}"],
  ["terraform-token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}", { back: 14 }],
  // RFC 7292 in Base64, on one line: version 3, then the object identifier of the content.
  [
    "pkcs12",
    "ibazcc",
    "MII[A-Za-z0-9+/]{2}[AQgw]IBAzCC[A-Za-z0-9+/]{3}GCSqGSIb3DQEHA[A-Za-z0-9+/]{60,32000}={0,2}",
    { ...ANY_FILLING, back: 6 },
  ],
  ["age-key", "age-secret-key-1", "AGE-SECRET-KEY-1[0-9A-Z]{58}"],
  ["intra42-secret", "s-s4t2", "s-s4t2(?:ud|af)-[a-f0-9]{64}"],
  ["facebook-token", "eaa", "EAA[A-Za-z0-9]{80,400}", { entropyMin: 4 }],
  ["facebook-token", "facebook", "facebook[^\\n]{0,60}?[^0-9](?<secret>[0-9]{15,16}\\|[A-Za-z0-9_-]{27,40})"],
];

/** What may stand between a name and its value, on one line, also in JSON inside of JSON. */
const SIGN = "[ \\t\\w.-]{0,20}[ \\t'\"\\\\]{0,4}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[`'\" \\t=\\\\]{0,5}";
const VALUE_END = "(?=[`'\"\\s;,)}\\]&<]|\\\\[nr]|$)";

const NAMED_RULES = NAMED_VALUES.map(([id, keywords, names, value, entropyMin]) =>
  lazyRule(
    { id, keywords: keywords.split(" "), entropyMin },
    () => new RegExp(`(?i:${names})${SIGN}(?<secret>${value})${VALUE_END}`, "y"),
  ),
);

/** Ours first: they name what both find, and go on where the others end. */
export const VENDOR_RULES: readonly FormatRule[] = [
  ...VENDORS.map(tokenRule),
  ...TOKENS.map(([id, keywords, token, end, entropyMin]) =>
    tokenRule([id, keywords, end === "value" ? `${token}${VALUE_END}` : token, { entropyMin }]),
  ),
  ...NAMED_RULES,
];
