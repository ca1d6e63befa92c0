import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { containsSecret, mask, redact, redactValue } from './redact.ts';

const x = (length: number, alphabet = 'aB3dE5gH7jK9') =>
  Array.from({ length }, (_, at) => alphabet[at % alphabet.length]).join('');
const hex = (length: number) => x(length, '0a1b2c3d4e5f');
const upper = (length: number) => x(length, 'A2B4C6D8');

/** One canary of each kind; put together here, so that no scanner takes this file for a leak. */
const secrets: Record<string, string> = {
  'aws-access-key': `AKIA${upper(16)}`,
  'github-token': `ghp_${x(36)}`,
  'github-token fine-grained': `github_pat_${x(22)}_${x(40)}`,
  'gitlab-token': `glpat-${x(20)}`,
  'slack-token': `xoxb-${x(12, '0123456789')}-${x(24)}`,
  'slack-webhook': `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${x(24)}`,
  'discord-webhook': `https://discord.com/api/webhooks/${x(18, '123456789')}/${x(60)}`,
  'anthropic-key': `sk-ant-api03-${x(40)}`,
  'openai-key': `sk-proj-${x(48)}`,
  'google-key': `AIza${x(35)}`,
  'google-oauth': `ya29.${x(40)}`,
  'stripe-key': `sk_live_${x(24)}`,
  'service-token of npm': `npm_${x(36)}`,
  'pypi-token': `pypi-AgEIcHlwaS5vcmc${x(60)}`,
  'service-token of hugging face': `hf_${x(34)}`,
  'sendgrid-key': `SG.${x(22)}.${x(43)}`,
  'twilio-key': `SK${hex(32)}`,
  'service-token of digitalocean': `dop_v1_${hex(64)}`,
  'shopify-token': `shpat_${hex(32)}`,
  'square-token': `sq0atp-${x(22)}`,
  'service-token of linear': `lin_api_${x(40)}`,
  'databricks-token': `dapi${hex(32)}`,
  'vault-token': `hvs.${x(24)}`,
  'age-key': `AGE-SECRET-KEY-1${x(58, 'QPZRY9X8GF2')}`,
  'telegram-token': `${x(10, '1234567890')}:AA${x(33)}`,
  'mailgun-key': `key-${hex(32)}`,
  jwt: `eyJ${x(20)}.eyJ${x(40)}.${x(43)}`,
  'azure-key': `AccountKey=${x(86)}==`,
  authorization: `Bearer ${x(40)}`,
  'url-password': `postgres://admin:${x(16)}@db.example.org/x`,
  'query-secret': `https://api.example.org/v1?key=${x(30)}`,
  'assigned-secret': `password = "${x(16)}"`,
  'assigned-secret in an env file': `DATABASE_PASSWORD=${x(16)}`,
  'private-key': `-----BEGIN RSA PRIVATE KEY-----\n${x(64)}\n${x(64)}\n-----END RSA PRIVATE KEY-----`,
  'private-key without an end': `-----BEGIN OPENSSH PRIVATE KEY-----\n${x(64)}`,
};

test('at least 30 kinds of secret are known', () => {
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(30);
});

test.each(Object.entries(secrets))(
  '%s is cut out, wherever it stands, and its surroundings stay',
  (kind, secret) => {
    // The part that gives access: what follows the last sign that a name, an address or a scheme would have.
    const bare = secret.replace(/^.*PRIVATE KEY-----\n/, '').replace(/^[A-Z_]+=/, '');
    const material = /(?:["=:@ .]|^)([A-Za-z0-9+/_-]{12,})/.exec(bare)?.[1] ?? secret;
    for (const [before, after] of [
      ['', ''],
      ['said ', ' in a log'],
      ['{"x":"', '"}'],
      ['first\n', '\nlast'],
    ] as const) {
      if (kind.includes('env file') && !/^$|\n$/.test(before)) continue;
      if (kind.includes('without an end') && after !== '') continue;
      if (kind === 'assigned-secret' && before.startsWith('{')) continue;
      const text = before + secret + after;
      const clean = redact(text);
      expect(clean, text).toContain(`[redacted:${kind.split(' ')[0]}]`);
      expect(clean).not.toContain(material);
      expect(clean.startsWith(before)).toBe(true);
      expect(clean.endsWith(after)).toBe(true);
      expect(containsSecret(text)).toBe(true);
      expect(redact(clean)).toBe(clean);
    }
  },
);

test.each([',', ', then', ')', '), or', '],', '}.'])(
  'a secret before %j is cut out, a name of code stays',
  (after) => {
    for (const secret of ['Zx9kQ2mmLp41', 'abcd1234efgh5678', '9f8e7d6c5b4a39281706', 'hunter2hunter2'])
      for (const name of ['password', 'api_key', 'token'])
        expect(redact(`login(${name}=${secret}${after}`)).toBe(
          `login(${name}=[redacted:assigned-secret]${after}`,
        );
    for (const code of ['user2password', 'self.password', 'config.db_pass1', 'get_token'])
      expect(redact(`login(password=${code}${after}`)).toBe(`login(password=${code}${after}`);
  },
);

test('ordinary text, code and hashes stay byte for byte', () => {
  const text = `const token = getToken(); // password: see docs
commit 3af0a3148ceb2f13280ae5881736b4f8d1925a23
sha256-${x(43)}= uuid 550e8400-e29b-41d4-a716-446655440000
password: \${DB_PASSWORD}  API_KEY=<your key>  "secret": "{{ vault }}"
https://user@example.org/path?page=2&sort=name  task-key-1 sk-learn Basic usage`;
  expect(redact(text)).toBe(text);
  expect(containsSecret(text)).toBe(false);
});

test('a token right behind an escape is cut out, and the escape stays', () => {
  const token = secrets['github-token'] ?? '';
  for (const before of ['\\n', '\\t', '%0A', '%20', '"a\\r\\n'])
    expect(redact(`${before}${token}`)).toBe(`${before}[redacted:github-token]`);
  expect(redact('C:\\new\\temp\\%41b key')).toBe('C:\\new\\temp\\%41b key');
});

test('names of assemblies, ids of answers, joined words and code are no credentials', () => {
  const text = `Version=4.0.0.0, PublicKeyToken=31bf3856ad364e35
"responseId": "chatcmpl-DP9gKSl59H5uAXksKRvNWmSGzLSE2"
new[] { "GetCacheExpirationToken", "GetAllKeys", "CreateNewKey" }
var token = DbscProofKey.CreateUnsignedToken(typ);
aws.session_token = ec2_session_token
const uint CHANNEL_TOKEN = 0x00000008;
url.password = this.#internals.password;
the password: this.options.passwordOf2Users`;
  expect(redact(text)).toBe(text);
});

test('values are cleaned at every depth, and their shape stays', () => {
  const token = secrets['github-token']!;
  expect(redactValue({ a: [{ b: `x ${token}` }], n: 1, t: true, z: null })).toEqual({
    a: [{ b: 'x [redacted:github-token]' }],
    n: 1,
    t: true,
    z: null,
  });
});

test('a value that begins like a placeholder or a version costs no more than another', () => {
  for (const start of ['my', 'your', 'x', 'v1', 'sha256-', '$a', '--'])
    for (const fill of ['a', 'a1', 'a-', 'A_', '1'])
      expect(redact(`password = "${start}${fill.repeat(3000)}=!"`).length).toBeGreaterThan(0);
});

test('a long hostile text is cleaned in linear steps', () => {
  const hostile = `${'eyJ'.repeat(20_000)}${'password='.repeat(5000)}${'a:'.repeat(20_000)}${'://a:'.repeat(5000)}`;
  expect(redact(hostile).length).toBeGreaterThan(0);
});

const awsExample = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/');
test.each([
  ...[
    'awsSecret',
    'AwsSecretAccessKey',
    'aws_secret_access_key',
    'prodAwsSecret',
    'aws-secret-key',
    'secretKey',
    'clientSecret',
  ].flatMap((name) => [`${name} = "${awsExample}"`, `${name}: ${awsExample}`, `{"${name}":"${awsExample}"}`]),
  `DD-APPLICATION-KEY: ${hex(40)}`,
  `before, secret_key_base: ${hex(128)} was in the wiki`,
  `AKIA${x(16, 'QWERTZUI')}`,
])('%s is cut out, however few digits it has and wherever it stands', (text) => {
  expect(redact(text)).toContain('[redacted:');
  for (const secret of [awsExample, hex(40), `AKIA${x(16, 'QWERTZUI')}`])
    expect(redact(text)).not.toContain(secret);
});

test.each([
  'return token = SyntaxKind.EndOfFile;',
  'secret: https://docs.example.org/Reference/V1/Secrets2/Overview3',
  'the access key: see docs/Reference/V1Secrets/Overview2.md first',
  'const tokenId = useAuthenticatedTokenIdentifierFromStorage1;',
])('%s is left as it is', (text) => {
  expect(redact(text)).toBe(text);
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const edwards = generateKeyPairSync('ed25519');
const keyForms: Array<[name: string, pem: string]> = [
  ['RSA, PKCS 1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['RSA, PKCS 8', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['elliptic curve, SEC 1', curve.privateKey.export({ type: 'sec1', format: 'pem' }).toString()],
  ['elliptic curve, PKCS 8', curve.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['Ed25519, PKCS 8', edwards.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
];
const bodyOf = (pem: string) => pem.replace(/-----[^-]+-----\n/g, '').trim();

test.each(keyForms)('a private key without the lines that name it is cut out: %s', (_name, pem) => {
  const cut = '[redacted:private-key]';
  const encoded = Buffer.from(pem).toString('base64');
  const wrapped = encoded.replace(/.{76}/g, '$&\n    ').trim();
  const body = bodyOf(pem);
  const oneLine = body.replaceAll('\n', '');
  for (const secret of [
    encoded,
    wrapped,
    body,
    oneLine,
    body.replaceAll('\n', '\\n'),
    body.replaceAll('\n', '\r\n'),
  ]) {
    for (const [before, after] of [
      ['    client-key-data: ', '\n    user: admin'],
      ['{"key":"', '"}'],
      ['the key is\n', '\nlast'],
      ['', ''],
    ] as const)
      expect(redact(before + secret + after)).toBe(before + cut + after);
    expect(mask(secret).split('\n').length).toBe(secret.split('\n').length);
  }
  expect(redact(`said ${oneLine.slice(0, 60)} in a log`)).toBe(`said ${cut} in a log`);
});

test('public keys, certificates and other long runs of base64 stay', () => {
  const publicKeys = [rsa, curve, edwards].map(({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const certificate = Buffer.from([
    0x30,
    0x82,
    3,
    0x51,
    0x30,
    0x82,
    2,
    0x39,
    0xa0,
    3,
    2,
    1,
    2,
    ...Array(840).fill(7),
  ]);
  const texts = [
    ...publicKeys.flatMap((pem) => [pem, bodyOf(pem), Buffer.from(pem).toString('base64')]),
    certificate.toString('base64'),
    `client-certificate-data: ${Buffer.from(`-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n`).toString('base64')}`,
    `MIIEpAIB${'Ax'.repeat(60)}`,
  ];
  for (const text of texts) expect(redact(text)).toBe(text);
});
