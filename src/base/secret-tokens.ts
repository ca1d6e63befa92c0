import { cutEncodedKeys } from './secret-encoded-keys.ts';
import { looksSecret, type Mark } from './secret-value.ts';

/** Keys of many lines. */
const keyBlocks: Array<[kind: string, pattern: RegExp]> = [
  [
    'private-key',
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['putty-key', /^Private-Lines: \d+\r?\n(?:[A-Za-z0-9+/=]+(?:\r?\n|$))+/gm],
];

export function cutKeyBlocks(text: string, mark: Mark): string {
  const named = text.includes('PRIVATE KEY') || text.includes('Private-Lines') ? keyBlocks : [];
  const clean = named.reduce(
    (rest, [kind, pattern]) => rest.replace(pattern, (secret) => mark(kind, secret)),
    text,
  );
  return cutEncodedKeys(clean, mark);
}

/** Credentials that are known by their own shape, wherever they stand. */
const secretTokens: Array<[kind: string, pattern: RegExp]> = [
  ['aws-access-key', /\b(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[0-9A-Z]{16}\b/g],
  ['github-token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g],
  ['gitlab-token', /\bgl(?:pat|wt|dt|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct)-[A-Za-z0-9_-]{16,}/g],
  ['gitlab-token', /\bGR1348941[A-Za-z0-9_-]{20}/g],
  ['slack-token', /\bxox[abceoprs]-[A-Za-z0-9-]{10,}\b|\bxapp-\d-[A-Za-z0-9-]{10,}\b/g],
  ['slack-webhook', /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]+/g],
  ['teams-webhook', /https:\/\/[a-z0-9-]+\.webhook\.office\.com\/webhookb2\/[A-Za-z0-9@/-]+/g],
  ['discord-webhook', /https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/g],
  ['discord-token', /\b[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g],
  ['anthropic-key', /\bsk-ant-[A-Za-z0-9_-]{16,}\b/g],
  ['openai-key', /\bsk-(?:(?:proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})(?![\w-])/g],
  ['google-key', /(?<![\w/+])AIza[0-9A-Za-z_-]{35}(?![\w/+-])/g],
  ['google-oauth', /\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}|\b1\/\/0[0-9A-Za-z_-]{40,}/g],
  ['firebase-key', /\bAAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,}/g],
  ['stripe-key', /\b(?:sk|rk|pk)_(?:live|test|prod)_[0-9A-Za-z]{16,}\b|\bwhsec_[0-9A-Za-z+/]{24,}/g],
  ['pypi-token', /\bpypi-AgEI[A-Za-z0-9_-]{40,}/g],
  ['sendgrid-key', /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g],
  ['twilio-key', /\b(?:SK|AC)[0-9a-f]{32}\b/g],
  ['shopify-token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['square-token', /(?<![\w/+=-])EAAA[A-Za-z0-9_-]{56,64}(?![\w/+=-])|\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}/g],
  ['databricks-token', /\bdapi[a-f0-9]{32}(?:-\d)?\b/g],
  ['vault-token', /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/g],
  ['terraform-token', /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}/g],
  ['age-key', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g],
  ['telegram-token', /\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}(?![\w-])/g],
  ['mailgun-key', /\b(?:key|pubkey)-[0-9a-f]{32}\b|\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b/g],
  ['mailchimp-key', /\b[0-9a-f]{32}-us\d{1,2}\b/g],
  ['facebook-token', /(?<![\w/+=-])EAA[CGM][A-Za-z0-9]{60,300}(?![\w/+=-])/g],
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g],
  ['azure-key', /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{40,}/g],
  ['azure-secret', /(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~.-])/g],
  ['azure-devops-token', /\b[a-zA-Z0-9]{76}AZDO[a-zA-Z0-9]{4}\b/g],
  ['otp-secret', /(?<=otpauth:\/\/[^\s"']{1,200}[?&]secret=)[A-Z2-7]{16,}=*/gi],
  ['1password-key', /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b/g],
  ['dropbox-token', /\bsl\.(?:u\.)?[A-Za-z0-9_-]{100,}/g],
  [
    'password-hash',
    /(?<![\w$])\$(?:[1-9y]|gy|2[abxy]|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[./A-Za-z0-9$=,+-]{20,}/g,
  ],
  // A cookie that its server signed, and the last part of a webhook's path.
  ['session-cookie', /\bs(?:%3.|:)[\w-]{16,}\.[\w%+/-]{20,}={0,2}/gi],
  ['webhook', /(?<=\/webhooks\/\d{15,22}\/)[\w-]{40,}/g],
  ['hugging-face-token', /\b(?:hf|api_org)_[A-Za-z]{34}\b/g],
  ['grafana-key', /\beyJrIjoi[A-Za-z0-9+/_-]{30,}={0,2}/g],
  ['nats-seed', /\bS[UAOXNC][A-Z2-7]{56}\b/g],
  ['nuget-key', /\boy2[a-z0-9]{43}\b/g],
  ['new-relic-key', /\b(?:[a-f0-9]{36}|eu01x[a-fx0-9]{31})NRAL\b|\bNR(?:AA|IQ|RA|BR|SP)-[\w-]{18,}/g],
  ['braintree-token', /\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/g],
  ['flutterwave-key', /\bFLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?/g],
  ['mapbox-token', /\b[sp]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/g],
  [
    // The name of a service, then a long run: how most services write tokens today.
    'service-token',
    /(?<![\w.-])(?:npm_|hf_|rzp_[a-z]+_|secret_|sk-[a-z]+-|[sp]k-lf-|thog-key-|llx-|sq[upa]_|bedrock-api-key-|IGQV|dp\.st\.[a-z]+\.|sm_[a-z]{3}_|dnkey-|akab-|tgp_v1_|cosmo_|ABSK|cmVmd|api_org_|do[opr]_v1_|lin_(?:api|oauth|wh)_|gsk_|xai-|pplx-|r8_|nvapi-|ntn_|fig[do]_|dckr_[po]at_|vc[pikar]_|tskey-[a-z]+-|gl(?:sa|c)_|nfp_|sbp_|sb_secret_|pscale_[a-z]+_|PMAK-|NR(?:AK|JS|II|AL)-|pul-|rubygems_|sntry[su]_|tfp_|dp\.(?:pt|st|ct|sa|scim|audit)\.|HRKU-|AT[AC]TT3|ATBB|BBDC-|AKCp|CCIP(?:AT|RJ)_|bkua_|sgp_|shippo_[a-z]+_|fo1_|pat-[a-z]{2}\d-|dt0[a-z]\d\d\.|LTAI|ops_eyJ|EZ[AT]K|duffel_[a-z]+_|rdme_|xkeysib-|xsmtpsib-|ory_[a-z]+_|clojars_|CLOJARS_|ph[cxs]_|lsv2_[a-z]+_|apify_api_|pcsk_|p8e-|SWMTKN-1-|amzn\.mws\.|da2-|pat[A-Za-z0-9]{14}\.)(?=[A-Za-z0-9._+/=~:-]{0,40}\d)[A-Za-z0-9_-]{16,}(?:[.:~+/=][A-Za-z0-9_-]+)*=*/g,
  ],
];

/**
 * A service that is not in the list: its short name and a run in which capitals, small letters and digits alternate.
 * Ids of answers, calls and recordings are written in the same way and open nothing.
 */
const unlisted =
  /(?<![\w./+@#-])(?!sha\d|(?:chatcmpl|cmpl|msg|req|resp|call|toolu|run|thread|asst|evt|cus|acct|asciicast)[_-])((?:[A-Za-z][a-z0-9]{1,11}|[A-Z]{2,12})[_-](?:[A-Za-z0-9]{1,10}[_-]){0,2})([A-Za-z0-9]{22,200})(?![\w/+=-])/g;
const alternates = (run: string): boolean =>
  /[a-z]/.test(run) && /[A-Z]/.test(run) && (run.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0) >= 4;

/** Services whose keys have no form of their own: gitleaks, too, knows them by the name that stands beside the key. */
const services =
  'adafruit|algolia|alibaba|asana|azure|bitbucket|cloudflare|codecov|coinbase|confluent|contentful|datadog|discord|dropbox|fastly|freshbooks|gitter|heroku|hubspot|intercom|jfrog|artifactory|kraken|kucoin|launchdarkly|mattermost|message[_-]?bird|netlify|new[_-]?relic|okta|rapidapi|sendbird|sentry|snyk|sonar|squarespace|travis|twitch|twitter|zendesk';
const beside = (names: string, value: string): RegExp =>
  new RegExp(
    `((?<![a-z])(?:${names})(?![a-z])[^\\n]{0,60}?(?<![\\w/+=@.#%$&?:-]))(${value})(?![\\w/+=.-])`,
    'gi',
  );
const serviceKeys = [
  beside(
    'heroku|hubspot|kucoin|message[_-]?bird|sendbird|snyk|squarespace',
    '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
  ),
  beside(services, '[a-z0-9_-]{32,73}|[a-z0-9+/]{86}=='),
];

const shortest = 16;
/** Letters without a digit that are no joined words, or an access key that happens to have none. */
const mixed = /(?:^|[=_~+-])A[KS]IA[A-Z]{16}$|[_-].*[a-z][A-Z]{1,3}[a-z][A-Z]|(?:[a-z][A-Z]){3}/;
const digit = 2;
const signKinds = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+=~-')
  signKinds[sign.charCodeAt(0)] = 1;
for (const sign of '0123456789') signKinds[sign.charCodeAt(0)] = digit;

/**
 * Where a run starts that could be a token: none does without 16 such signs between dots and slashes, and hardly one
 * without a digit or capitals among small letters. A loop, because a pattern begins anew at every letter of every word.
 */
export function nextTokenLike(text: string, from = 0): number {
  let start = from;
  let digits = 0;
  for (let at = from; at <= text.length; at++) {
    const kind = at === text.length ? 0 : signKinds[text.charCodeAt(at)];
    if (kind === digit) digits++;
    if (kind === 1 || kind === digit) continue;
    if (at - start >= shortest && (digits > 0 || mixed.test(text.slice(start, at)))) return start;
    start = at + 1;
    digits = 0;
  }
  return -1;
}

export function cutTokens(text: string, mark: Mark): string {
  let clean = text;
  for (const [kind, pattern] of secretTokens) clean = clean.replace(pattern, (secret) => mark(kind, secret));
  for (const pattern of serviceKeys)
    clean = clean.replace(pattern, (whole, lead: string, value: string) =>
      looksSecret(value, 'known') ? `${lead}${mark('service-key', value)}` : whole,
    );
  return clean.replace(unlisted, (whole, _name: string, run: string) =>
    alternates(run) ? mark('service-token', whole) : whole,
  );
}
