import { looksSecret, type Mark, type Proof } from './secret-value.ts';

/** A place where a credential stands: what leads to it stays, what stands there is judged and cut out. */
interface Form {
  kind: string;
  pattern: RegExp;
  proof: Proof;
}

const strong =
  '(?:pass(?:word|wd|phrase|code)|pwd|(?<![A-Za-z])pass|(?<=[a-z0-9])(?-i:Pass)|passwort|kennwort|contrase(?:ñ|n)a|senha|mot_?de_?passe)';
const weak =
  '(?:secret|(?<!public_?key_?)token|(?:api|app|application|access|auth|account|private|signing|encryption|master|secret|shared|service|deploy|license|webhook|session|routing|integration|admin|server|client|consumer|subscription|storage|fernet|crypto?|cipher|aes|hmac|jwt|activation|product|write|ingest)[ _.-]?key|(?:recovery|backup|activation)[ _.-]?codes?|credentials?|(?<![A-Za-z])bearer|(?<![A-Za-z])(?:wpa_?)?psk|(?<![A-Za-z])_?auth|(?<=x-[a-z-]{0,20})(?:key|auth))';
const end =
  '(?:[_.-]?(?:base|value|string|text|raw|prod|production|staging|dev|live|old|new|primary|secondary|id|key|\\d{1,3}))?';
const quote = '\\\\?["\'`]';
const assign = '(?::\\s{0,2}[\\w.<>?|]{1,30}\\s{0,2}=|:=|=>|[!=]?={1,3}|:|\\|\\|=|\\?\\?=|\\|\\||\\?\\?)';
const bare = '[^\\s"\'`,;(){}<>\\[\\]]';
const lineStart = '^[\\s>*+#-]{0,20}(?:(?:export|set|setx|ENV|ARG|-e|--env)\\s+)?[\\w./:@-]{0,100}?';

const forms = (kind: string, proof: Proof, ...sources: string[]): Form[] =>
  sources.map((source) => ({ kind, proof, pattern: new RegExp(source, 'gim') }));

const assigned = (name: string, quoted: Proof, unquoted: Proof): Form[] => [
  ...forms(
    'assigned-secret',
    quoted,
    `(${name}${end}(?:${quote})?[\\])]{0,2}\\s{0,8}${assign}\\s{0,8}[bruf@]{0,2}(${quote}))((?:(?!\\2)[^\\s]){4,400})(?=\\2)`,
  ),
  ...forms(
    'assigned-secret',
    unquoted,
    // A whole line of a settings file.
    `(${lineStart}${name}${end}\\s{0,8}[:=]\\s{0,8})(${bare}{6,400})(?=\\s*(?:#.*)?$)`,
    // Within a line only as shells and connection strings write it, without blanks.
    `((?<![$])${name}${end}=)(${bare}{6,400}?)(?=[\\s;&"'\`]|,\\w+=|\\\\[nr\ue06e\ue072]|$)`,
    `(<(?:[\\w.:-]{0,40}[.:_-]?)?${name}${end}>)([^<\\s]{4,200})(?=</)`,
    `(${name}${end}${quote}\\s{1,4}(?:value|content)\\s{0,2}=\\s{0,2}${quote})([^"'\\s]{4,200})(?=["'])`,
  ),
  ...forms(
    'assigned-secret',
    'firm',
    `(${name}${end}${quote}\\s{0,2},\\s{0,4}${quote})([^"'\\s]{6,200})(?=["'])`,
    // Before a comma or a bracket: most such values are names of code.
    `((?<![$])${name}${end}=)(${bare}{6,400}?)(?=[.]?[,)\\]}](?:[\\s.,;:!?)\\]]|$))`,
  ),
];

/** How people spell it in a hurry, and in other languages. */
const passwordWord = '(?:pa{0,2}s{1,2}w(?:or|o|r)?s?ds?|pass|pwd?|비번|비밀번호|密码|パスワード|пароль|mdp)';
/** Ended by what a value in a sentence or a list ends with. */
const attached = '([^\\s"\'`,;(){}<>|[\\]]{6,100})(?=[\\s"\'`,;)}<>\\]]|$)';

const command = (source: string): string => `((?<![\\w-])${source}\\s{0,2}["']?)([^\\s"'\`|;)]{4,200})`;
const spoken =
  '(?:pass(?:word|phrase|code)|passwd|pwd|pin|passwort|kennwort|contraseña|senha|mot de passe|пароль|api[ _-]?key|secret(?: key)?|(?:access )?token|credentials?|(?:recovery|backup|activation) code)s?';

/** A value within a sentence. */
const said =
  '([^\\s"\'`”»(){}<>|[\\]]{7,200}[^\\s"\'`”».,;:!?(){}<>|[\\]])(?=[\\s"\'`”»,;!?)]|[.:](?!\\w)|$)';
/** Where credentials stand, whatever they look like: settings, headers, addresses, command lines, sentences. */
const secretForms: Form[] = [
  ...forms(
    'url-password',
    'none',
    '\\b([a-z][a-z0-9+.-]{1,30}://[^\\s/:"\'<>]{0,100}:)([^\\s/@"\'<>]{3,200})(?=@)',
  ),
  ...forms(
    'query-secret',
    'some',
    '((?:[?&;]|%26|%3f)(?:\\w{0,30}[_-])?(?:key|recovery_?code|api_?key|token|secret|sig|signature|password|passwd|passphrase|pwd|psk|auth|code|sas)(?:=|%3d))([^&\\s"\'<>`)\\]]{6,400})',
  ),
  ...forms(
    'hook-address',
    'firm',
    '(https?://[^\\s"\'<>]{1,200}/(?:integrations?|hooks?|webhooks?)/(?:catch/)?)([\\w+@/-]{20,300})(?=[/?"\'\\s]|$)',
  ),
  ...forms(
    'authorization',
    'some',
    '\\b((?:authorization["\']?\\s{0,3}[:=,]\\s{0,3}["\']?(?:[a-z]{3,20}\\s{1,3})?))([a-z0-9._~+/:-]{8,2000}=*)',
    '\\b((?:bearer|basic|token|apikey|ssws)\\s{1,3})([a-z0-9._~+/-]{16,2000}=*)',
  ),
  // A header of somebody's own with nothing but a random run, and no name of an id.
  ...forms(
    'header-secret',
    'firm',
    '(^[\\s>*#-]{0,8}x-(?![a-z-]*(?:id|trace|span|tag|version|hash|digest|checksum|commit|nonce|sum)\\b)[a-z-]{2,40}:[ \\t]{1,3})([\\w+/=~.-]{20,200})(?=\\s*$)',
  ),
  ...forms(
    'cookie',
    'firm',
    '((?:^|["\'\\s])(?:set-)?cookie["\']?\\s{0,3}[:=,]\\s{0,3}["\']?(?:[\\w.-]{1,60}=[^;\\s"\']{0,40};\\s{0,2}){0,6}[\\w.-]{1,60}=)([^;\\s"\']{8,4000})',
  ),
  ...assigned(strong, 'some', 'some'),
  ...forms(
    'assigned-secret',
    'mixed',
    // Right behind the word, as people note logins down: `id:root pw:…`.
    `((?<![A-Za-z$])(?:[A-Za-z]{1,20}_|[A-Z]{2,12})?${passwordWord}\\w{0,4}(?::=?|=>?)(?:&quot;)?)${attached}`,
    `((?<![A-Za-z$])(?:[a-z]{1,20}[_ ])?(?:pwd?|pass)\\s{0,2}[:=]\\s{1,2})${attached}`,
    // What is taken if the environment has none, and what a definition or a call is given.
    `(${strong}["'\`][\\])]{1,2}\\s{0,3}(?:or|\\|\\||\\?\\?|\\?:)\\s{0,3}["'\`])([^\\s"'\`]{6,100})(?=["'\`])`,
    `(\\bdefine\\s+\\w{0,40}(?:${strong}|secret|token|_key)\\w{0,10}\\s+\\\\?["'])([^\\s"']{6,200})(?=\\\\?["'])`,
    `(\\w(?:PASSWORD|PASSWD|USERPWD|BEARER|TOKEN|SECRET),\\s{0,3}["'])([^\\s"']{6,200})(?=["'])`,
    '(\\bpass:)([^\\s"\'`]{6,100})(?=[\\s"\'`]|$)',
    `((?:\\bpw|${passwordWord}\\s+(?:for|of)\\s[^\\n:]{1,60}:)\\s)${attached}`,
  ),
  ...forms(
    'license-key',
    'place',
    '((?:key|serial|licen[cs]e)(?:\\s+for\\s+[^\\n.;:]{1,30}?)?(?:\\s+(?:is|number|code))?["\'`]?\\s{0,2}[:=]?\\s{1,2}["\'`]?)((?=[A-Z\\d-]*[A-Z])(?-i:[A-Z\\d]{4,6}(?:-[A-Z\\d]{4,6}){2,7}))(?![\\w-])',
  ),
  ...forms(
    'spoken-secret',
    'place',
    `((?<![A-Za-z])(?:password|passphrase|passcode)(?:\\s+(?:for|of)\\s+[^\\n.;:]{1,40}?)?\\s+(?:is|was)\\s+(?:set to\\s+|now\\s+)?["'\`“])(?!(?:required|invalid|incorrect|correct|empty|wrong|expired|hashed|stored|optional|null|undefined|password|changed|weak|strong|needed|missing|passw)|[\\w-]{0,12}[$<{%])([a-z][\\w!?#@-]{4,40})(?=["'\`”])`,
  ),
  ...assigned(weak, 'firm', 'firm'),
  // Within a sentence, where only a long random run is no word.
  ...forms(
    'assigned-secret',
    'dense',
    `(${weak}${end}\\s{0,2}[:=]\\s{1,3})(${bare}{32,400})(?=[.:!?]?(?:[\\s,;"'\`)]|$))`,
  ),
  // A setting whose last word is "key" and whose value no word, digest or name looks like.
  ...forms(
    'assigned-secret',
    'firm',
    `(^[\\s>*+#-]{0,20}[\\w./-]{1,100}(?<!public)[._-]key\\s{0,4}[:=]\\s{0,4}["']?)(${bare}{20,400})(?=["']?\\s*$)`,
  ),
  // A remark behind the value says what it is.
  ...forms(
    'assigned-secret',
    'firm',
    `(["'\`])((?:(?!\\1)\\S){10,400})(?=\\1[^\\n]{0,60}?(?://|#|/\\*)[^\\n]{0,40}?\\b(?:pass(?:word|phrase|code)|secret|(?:server|api|access|auth|bot) token|(?:api|admin|license|encryption|signing|private) key|credentials?|(?:totp|otp) seed|seed of|recovery code)\\b)`,
  ),
  ...forms(
    'pin',
    'place',
    '(\\bpin["\']?\\s{0,2}[:=]\\s{0,2}["\']?)(\\d{5,8})(?![\\w.])',
    '([?&]pin=)(\\d{4,8})(?!\\w)',
    '((?<![\\w-])(?-i:PIN)(?:\\s+(?:code|number|is|was|there|for|of|the|[a-z]{2,12})){0,3}\\s{0,2}:?\\s+["\']?)(\\d{4,8})(?!\\w|[.]\\d)',
  ),
  // Four words or more, joined as programs that make passphrases join them.
  ...forms(
    'passphrase',
    'place',
    '(pass(?:phrase|word)(?:["\']?\\s{0,2}(?:[:=]|=>)\\s{0,2}|\\s+(?:is|was)?:?\\s{0,2})["\'`]?)([a-z]{3,12}(?:-[a-z]{3,12}){3,})(?![\\w-])',
  ),
  ...forms(
    'docker-auth',
    'some',
    '("(?:auth|identitytoken|registrytoken)"\\s{0,3}:\\s{0,3}")([A-Za-z0-9+/_.=-]{12,4000})(?=")',
  ),
  ...forms(
    'login-file',
    'none',
    '(\\b(?:machine\\s+\\S{1,200}|default)\\s+login\\s+\\S{1,200}\\s+password\\s+)(\\S{3,200})',
    '(^[\\w.*-]{1,100}:(?:\\d{2,5}|\\*):[\\w*-]{1,60}:[\\w*-]{1,60}:)(\\S{4,200})$',
  ),
  ...forms(
    'command-password',
    'some',
    command('curl\\b[^\\n|]{0,300}?\\s(?:-u|--user)[= ]\\s{0,2}["\']?[^\\s:"\']{1,100}:'),
    command('(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b[^\\n|;]{0,200}?\\s-p'),
    command(
      '(?:sshpass|docker\\s+login|podman\\s+login|az\\s+login|htpasswd|ldapsearch|smbclient)\\b[^\\n|;]{0,200}?\\s(?:-p|-w|-U\\s?\\w+%)',
    ),
    command(
      '(?:psexec(?:\\.exe)?|plink|pscp|winexe|sqlcmd|bcp|7z|zip|unzip|lftp|mongo(?:sh|dump)?|net\\s+use)\\b[^\\n|;]{0,200}?\\s-p\\s?',
    ),
    command('redis-cli\\b[^\\n|;]{0,200}?\\s-a'),
    command(`--?(?:[a-z-]{0,30}-)?(?:${strong}|storepass|keypass)[= ]`),
    command(`echo\\s+["']?[\\w.-]{1,60}:(?=[^\\s"']{4,200}["']?\\s*\\|\\s*chpasswd)`),
    '(\\bidentified\\s+(?:with\\s+\\w+\\s+)?by\\s{1,4})(?!values?\\b|password\\b)([^\'\\s;")]{6,200})',
    "(\\b(?:identified\\s+(?:with\\s+\\w+\\s+)?by|password)\\s{1,4}')([^'\\s]{4,200})(?=')",
  ),
  ...forms(
    'command-password',
    'some',
    '(ConvertTo-SecureString\\s+(?:-String\\s+)?["\'])([^"\'\\s]{4,200})(?=["\'])',
  ),
  ...forms(
    'seed-phrase',
    'place',
    '((?:(?:seed|recovery) (?:phrase|words)|mnemonic)["\'`]?\\s{0,2}[:=]\\s{0,2}["\'`]?)((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])',
  ),
  ...forms('command-password', 'firm', command(`--?(?:[a-z-]{0,30}-)?${weak}[= ]`)),
  ...forms(
    'spoken-secret',
    'some',
    `((?<![A-Za-z])${spoken}\\b(?:\\s+(?:there|here)|\\s+(?:for|of|to|on|in|from|für|von|zu)\\s+[^\\n.;:]{1,50}?)?\\s{0,2}(?:\\s(?:is|was|lautet|ist|war|are|be|became|now|set to|changed to|reset to)|[:=]|->|→)(?:\\s+(?:now|still|currently|always))?\\s+["'\`“«]?)([^\\s"'\`”»(){}<>|[\\]]{5,100}[^\\s"'\`”».,;:!?(){}<>|[\\]])(?=[\\s"'\`”»,;!?]|[.:](?!\\w)|$)`,
    `(\\b(?:use|using|with|try|enter|type|set)\\s+["'\`“]?)([^\\s"'\`”(){}<>|]{6,100})(?=["'\`”]?\\s+(?:as|for)\\s+(?:the\\s+|a\\s+|your\\s+|its\\s+)?(?:[\\w-]+\\s+){0,2}${spoken}\\b)`,
    `(\\b(?:credentials?|log ?in|sign ?in)(?:\\s+(?:is|are|with|as|using)|:)?\\s+["'\`]?[\\w.@-]{2,60}["'\`]?\\s{0,2}[/:]\\s{0,2}["'\`]?)([^\\s"'\`(){}<>|/]{5,100}[^\\s"'\`.,;:!?(){}<>|])`,
  ),
  ...forms(
    'spoken-secret',
    'firm',
    // Without "is": log in with it, the key itself, what the old value was.
    `(\\b(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed|ing)?[ -]?in|authenticated?|connect(?:ed)?)\\b[^\\n.;:]{0,40}?\\s(?:with|using|by|via)\\s+(?:the\\s+)?["'\`“]?)${said}`,
    `((?<![\\w-])${spoken}\\b[^\\n.;]{0,30}?\\b(?:type|enter|use|try)\\s+["'\`“]?)${said}`,
    `((?-i:\\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD))\\b[^\\n.;:=]{0,40}?\\s)(?=\\S{16})${said}`,
    `((?<![\\w-])(?-i:AUTH)\\s+(?:[\\w.@-]{2,40}\\s+)?)${said}`,
    `(\\bsips?:[\\w.+-]{1,60}:)([^\\s@"'<>]{4,100})(?=@)`,
    `(\\bcredentials?\\s+(?:is|are|were)\\s+\\S{2,40}\\s+(?:and|with|/)\\s+["'\`“]?)${said}`,
    // Some words between what it is and the value.
    `((?<![\\w.-])(?:${spoken}|[A-Za-z][\\w-]{2,20}\\s+key)(?:\\s+[a-z]{2,12}){0,3},?\\s+["'\`“]?)${said}`,
    `(\\b(?:(?:the|this|its|our|my|your)\\s+(?:[\\w-]+\\s+)?key|(?:old|new|current|previous|leaked)\\s+(?:key|value|one))(?:\\s+(?:is|was))?:?\\s+["'\`“]?)${said}`,
    `((?<![\\w-])${spoken}\\s+["'\`“]?)${said}`,
  ),
  ...forms(
    'spoken-secret',
    'some',
    `(\\b[\\w.@-]{2,40}\\s{0,2}/\\s{0,2})${said.replace('(?=', '(?=\\s{0,2}(?:\\(|as\\s)?(?:password|pass|pw)\\b|(?!))(?=')}`,
    `(\\b(?:user(?:name)?|login|account)\\s{0,2}[:=]?\\s+["'\`]?[\\w.@-]{2,60}["'\`]?\\s{0,2}(?:[/,;|]|and|with)?\\s{0,2}(?:pass(?:word)?|pwd|pw)\\s{0,2}[:=]?\\s+["'\`]?)${said}`,
  ),
  {
    kind: 'aws-secret-key',
    proof: 'firm',
    pattern:
      /((?:[Aa][Ww][Ss]|[Ss]ecret|SECRET|[Cc]redential|A[KS]IA[A-Z0-9]{16})[^\n]{0,120}?(?:\n[^\n]{0,60}?)?(?<![A-Za-z0-9/+=]))(?=[^\n]{0,39}[A-Z])(?=[^\n]{0,39}[g-z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
  },
];

/** What every form needs at least: most lines have none of it. Keys are named by what they open. */
const formTrace =
  /pass(?:w|phrase|code|["'`\]]{0,2}\s?[:=,])|[_-]pass|pwd|kennwort|contrase|senha|mot[ _]de|пароль|secret|token|(?:api|app|application|access|auth|account|private|signing|encryption|master|shared|service|deploy|license|webhook|session|routing|integration|admin|server|client|consumer|subscription|storage|fernet|crypto?|cipher|aes|hmac|jwt|activation|product|write|ingest)[ _.-]?key|(?:recovery|backup|activation)[ _.-]?code|\bauth\s|\bsip:|[._-]key\s{0,4}[:=]|\bpsk\b|\w\skey\b|x-[a-z-]{1,20}(?:key|auth)|^[\s>*#-]{0,8}x-[a-z-]{2,40}:\s|[?&;][\w-]{0,30}(?:key|sig|signature|auth|sas)=|credential|auth["'`]?\s?[:=]|authorization|cookie|:\/\/[^\s/:@"'<>]{0,100}:[^\s/@"'<>]{3}|\b(?:login|log in|sign in|machine|curl|mysql|mariadb|redis-cli|sshpass|htpasswd|ldapsearch|smbclient|identified|aws|pin|bearer|basic|apikey|ssws)\b|AKIA|ASIA|^[\w.*-]{1,100}:(?:\d{2,5}|\*):|storepass|keypass|chpasswd|\bpw\s?[:=]|_pw\b|[a-z]pw\s?[:=]|pa{0,2}s{1,2}w(?:or|o|r)?s?d|비번|비밀번호|密码|パスワード|\bpass[:=]|\bpsexec|\b(?:serial|licen[cs]e)\b|%26[\w-]{0,30}%3d|_(?:bearer|secret),|\bkey\s["'`“]?\S*\d|\b(?:key|value|one)\s(?:is|was)\s|\bp(?:ass|w)\s|(?:logged|logging|signed|signing|authenticated?|connect(?:ed)?)[ -](?:in |on )?(?:with|using|by|via)\s|securestring|seed of|\/(?:integrations?|hooks?|webhooks?)\/|(?:seed|recovery) (?:phrase|words)|mnemonic/gim;

/** Where a form could be: at or after a place in the text, or -1. */
export function nextForm(text: string, from = 0): number {
  formTrace.lastIndex = from;
  return formTrace.exec(text)?.index ?? -1;
}

export function cutForms(text: string, mark: Mark): string {
  let clean = text;
  for (const { kind, pattern, proof } of secretForms)
    clean = clean.replace(pattern, (...found) => {
      const [whole, lead] = found as [string, string];
      const value = whole.slice(lead.length);
      return looksSecret(value, proof) ? `${lead}${mark(kind, value)}` : whole;
    });
  return clean;
}
