/** One of each kind of credential. Put together here, so that no scanner takes this file for a leak. */
const letters = (length: number, of = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'): string =>
  of.repeat(Math.ceil(length / of.length)).slice(0, length);
const hex = (length: number): string => letters(length, '0a1b2c3d4e5f6789');
const upper = (length: number): string => letters(length, 'A2C4E6G8J3L5N7Q9');
const joined = (...parts: string[]): string => parts.join('');

/** What is written, and the part of it that must not be found anywhere. */
export const secrets: Record<string, { text: string; hidden: string }> = Object.fromEntries(
  Object.entries({
    'private key': joined(
      '-----BEGIN RSA PRIVATE',
      ' KEY-----\n',
      letters(64),
      '\n-----END RSA PRIVATE KEY-----',
    ),
    'open ssh key': joined(
      '-----BEGIN OPENSSH PRIVATE',
      ' KEY-----\n',
      letters(60),
      '1\n-----END OPENSSH PRIVATE KEY-----',
    ),
    'aws access key': joined('AK', 'IA', upper(16)),
    'aws session key': joined('AS', 'IA', upper(15), 'Z'),
    'github token': joined('gh', 'p_', letters(36)),
    'github fine-grained token': joined('github_', 'pat_', letters(40)),
    'gitlab token': joined('gl', 'pat-', letters(20)),
    'slack token': joined('xo', 'xb-', letters(24)),
    'slack app token': joined('xa', 'pp-1-', letters(22)),
    'slack webhook': joined('https://hooks.', 'slack.com/services/', letters(30)),
    'discord webhook': joined('https://discord', '.com/api/webhooks/123456/', letters(31)),
    'anthropic key': joined('sk-', 'ant-', letters(32)),
    'openai key': joined('sk-', 'proj-', letters(33)),
    'google key': joined('AI', 'za', letters(35)),
    'google oauth token': joined('ya', '29.', letters(34)),
    'google client secret': joined('GOC', 'SPX-', letters(28)),
    'stripe key': joined('sk_', 'live_', letters(26)),
    'stripe webhook secret': joined('wh', 'sec_', letters(29)),
    'npm token': joined('np', 'm_', letters(36, 'zY7xW4vU1tS')),
    'pypi token': joined('pypi-', 'AgEIcHlwaS5vcmc', letters(50)),
    'hugging face token': joined('h', 'f_', letters(37)),
    'sendgrid key': joined('S', 'G.', letters(22), '.', letters(43)),
    'twilio key': joined('S', 'K', hex(32)),
    'digitalocean token': joined('do', 'p_v1_', hex(64)),
    'shopify token': joined('sh', 'pat_', hex(32)),
    'square token': joined('sq0', 'atp-', letters(23)),
    'linear key': joined('lin_', 'api_', letters(38)),
    'databricks token': joined('da', 'pi', hex(32)),
    'vault token': joined('hv', 's.', letters(25)),
    'age key': joined('AGE-SECRET', '-KEY-1', upper(58)),
    'telegram token': joined('123456789', ':A', 'A', letters(33, 'qW3eR5tY7uI9')),
    'mailgun key': joined('ke', 'y-', hex(32)),
    'json web token': joined('ey', 'Jhbci1234567.ey', 'Jzdwi1234567.', letters(27)),
    'azure key': joined('Account', 'Key=', letters(44)),
    'bearer token': joined('Bear', 'er ', letters(41, 'mN8bV6cX4zL2kJ')),
  }).map(([kind, text]) => [kind, { text, hidden: text }]),
);

const within = (text: string, hidden: string) => ({ text, hidden });
Object.assign(secrets, {
  'password in an address': within(
    joined('postgres://shop:', letters(17, 'pL9oK8iJ7'), '@db/shop'),
    letters(17, 'pL9oK8iJ7'),
  ),
  'secret in a query': within(
    joined('https://a.example/?api_', 'key=', letters(19, 'uY6tR5eW4')),
    letters(19, 'uY6tR5eW4'),
  ),
  'assigned password': within(
    joined('pass', 'word: "', letters(18, 'fG5hJ4kL3'), '"'),
    letters(18, 'fG5hJ4kL3'),
  ),
  'secret of the environment': within(
    joined('APP_', 'SECRET=', letters(21, 'xC2vB3nM4')),
    letters(21, 'xC2vB3nM4'),
  ),
});
