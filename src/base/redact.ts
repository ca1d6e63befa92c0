/** One funnel for secrets: everything that is logged, remembered, indexed or exported as text passes here. */
const patterns: Array<[kind: string, pattern: RegExp]> = [
  [
    'private-key',
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['aws-access-key', /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b/g],
  ['github-token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g],
  ['gitlab-token', /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{16,}\b/g],
  ['slack-token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}\b|\bxapp-\d-[A-Za-z0-9-]{10,}\b/g],
  ['slack-webhook', /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]+/g],
  ['discord-webhook', /https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/g],
  ['anthropic-key', /\bsk-ant-[A-Za-z0-9_-]{16,}\b/g],
  ['openai-key', /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}\b/g],
  ['google-key', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['google-oauth', /\bya29\.[0-9A-Za-z_-]{20,}\b|\bGOCSPX-[0-9A-Za-z_-]{20,}\b/g],
  ['stripe-key', /\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,}\b|\bwhsec_[0-9A-Za-z]{24,}\b/g],
  ['npm-token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['pypi-token', /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{40,}\b/g],
  ['huggingface-token', /\bhf_[A-Za-z0-9]{30,}\b/g],
  ['sendgrid-key', /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}\b/g],
  ['twilio-key', /\bSK[0-9a-f]{32}\b/g],
  ['digitalocean-token', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['shopify-token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['square-token', /\b(?:EAAA|sq0[a-z]{3}-)[A-Za-z0-9_-]{22,}\b/g],
  ['linear-key', /\blin_api_[A-Za-z0-9]{32,}\b/g],
  ['databricks-token', /\bdapi[a-f0-9]{32}\b/g],
  ['vault-token', /\bhv[sbr]\.[A-Za-z0-9_-]{24,}\b/g],
  ['age-key', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g],
  ['telegram-token', /\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b/g],
  ['mailgun-key', /\bkey-[0-9a-f]{32}\b/g],
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b/g],
  ['azure-key', /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{40,}/g],
  ['authorization', /\b(?:Bearer|Basic|Token)\s+[A-Za-z0-9._~+/-]{16,}=*/gi],
  ['url-password', /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]+):[^\s/@]{3,}@/gi],
  [
    'query-secret',
    /([?&](?:key|api_?key|token|access_token|secret|sig|signature|password|client_secret)=)[^&\s"'<>]{6,}/gi,
  ],
  [
    'assigned-secret',
    /\b((?:[A-Za-z0-9]+[_-])*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|client[_-]?secret|token)["']?\s*[:=]\s*)(["'])(?!\$\{|<|\{\{)[^"'\s]{8,}\2/gi,
  ],
  [
    'assigned-secret',
    /^(\s*(?:export\s+)?[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*\s*=\s*)(?!["']?(?:\$|<|\{))[^\s"']{8,}/gm,
  ],
  [
    // Within a line only as a shell writes it, without blanks: code that compares or computes stays readable.
    'assigned-secret',
    /(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*=)(?!["']?(?:[$<{=[]))[^\s"']{8,}/g,
  ],
];

const kept = new Set(['url-password', 'query-secret', 'assigned-secret']);

/**
 * What every pattern above needs at least. Most text has none of it, and then one look is enough: indexing a long
 * history passes tens of thousands of messages through here.
 */
const trace =
  /PRIVATE|AKIA|ASIA|AGPA|AIDA|AROA|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|webhooks|sk-|AIza|ya29|GOCSPX|[rsp]k_|whsec_|npm_|pypi-|hf_|SG\.|SK[0-9a-f]|do[opr]_v1|shp[acs]|EAAA|sq0|lin_api|dapi[a-f0-9]|hv[sbr]\.|AGE-SECRET|:AA|key-|eyJ|AccountKey|SharedAccessKey|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]|[Tt][Oo][Kk][Ee][Nn]|:\/\/[^\s/:@]+:|[?&][A-Za-z_]+=|[Pp][Aa][Ss][Ss][Ww]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Kk][Ee][Yy]["']?\s*[:=]|[A-Z_]KEY/;

/** Replaces what looks like a credential by `[redacted:kind]`; everything else stays byte for byte. */
export function redact(text: string): string {
  if (!trace.test(text)) return text;
  let clean = text;
  for (const [kind, pattern] of patterns) {
    clean = clean.replace(pattern, (_match, lead: unknown) => {
      const prefix = kept.has(kind) && typeof lead === 'string' ? lead : '';
      const tail = kind === 'url-password' ? ':' : '';
      return `${prefix}${tail}[redacted:${kind}]${kind === 'url-password' ? '@' : ''}`;
    });
  }
  return clean;
}

export const containsSecret = (text: string): boolean => redact(text) !== text;

/** Redacts every string inside a value that can be written as JSON, names of fields among them. */
export function redactValue<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactValue) as T;
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [redact(key), redactValue(inner)]),
    ) as T;
  }
  return value;
}
