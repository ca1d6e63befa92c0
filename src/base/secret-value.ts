/** What stands in place of a secret. */
export type Mark = (kind: string, secret: string) => string;

/** How much a value itself has to look like a credential: little after "password =", more after "token:" or in prose, nothing where the place and the shape say it. */
export type Proof = 'some' | 'firm' | 'none' | 'place';

const placeholder =
  /^(?:[\W_]*|(.)\1*|(?:x|\*|\.|-|0)+|(?:your|my|our|the|some|any|example|sample|dummy|fake|insert|enter|change|replace)[-_ .]?[a-z_ -]*|(?:p(?:ass|wd?)|passwords?|passwd|passphrase|secret|token|undefined|null|none|true|false|required|optional)|value\d*|[a-z]\w*_(?:token|secret|password|key|id))$/i;
/** What a template, a shell, a format string or a call puts in later. */
const filledInLater =
  /^!\w|^0x[\da-f]+$|^[$%@&#]?[{(<[]|\$\{|\$\(|\{\{|<%|%[sdv(]|%\w+%|^\$\w+$|^[$@:]\w+(?:[.:>-]+\w+)*$|\)$|\(\)|=>|::|->|^\[redacted/;
const place = /^(?:\.{0,2}\/|~\/|[a-z]:\\|[a-z][a-z+.-]*:\/\/|file:|arn:aws)/i;
/** Algorithms, versions and services that have a digit in their name. */
const namedThing =
  /^(?:sha|md|base|utf|rfc|https?|oauth|tls|ssl|v|bcrypt|aes|rsa|hs|rs|es|x|pbkdf|argon|ipv|k|s|ec|iso|debug|u?int|float|i|a|log)[-_]?\d{1,5}[-_.a-z]{0,12}\d{0,4}$/;

const count = (value: string, pattern: RegExp): number => value.match(pattern)?.length ?? 0;

/** Words joined as code joins them, such as `GetAllKeys`. */
const joinedWords = /^-?[a-z]*(?:[A-Z][a-z]{2,})+(?:[A-Z][a-z]?)?$/;

/** Letters and digits in an order that no word, name or version has. */
function isScrambled(value: string): boolean {
  if (joinedWords.test(value)) return false;
  const changes = count(value, /(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/g);
  if (changes >= 3) return true;
  if (/[bcdfghjklmnpqrstvwxz\d]{6,}/i.test(value) && changes >= 1) return true;
  return count(value, /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])/g) >= Math.max(4, value.length / 3);
}

/** Whether what stands where a credential would stand is one, and not a placeholder, a name, a path or code. */
export function looksSecret(value: string, proof: Proof): boolean {
  if (proof === 'place') return true;
  if (!/^\S{4,}$/.test(value) || placeholder.test(value) || filledInLater.test(value)) return false;
  if (proof === 'none') return true;
  if (value.length < 6 || (value.length < 20 && namedThing.test(value))) return false;
  const scrambled = isScrambled(value);
  if (place.test(value) && !(scrambled && value.length === 40)) return false;
  if (scrambled) return proof === 'some' || value.length >= 8;
  return proof === 'some' ? somePasswords.test(value) : strongPassword.test(value);
}

/** Six digits, or letters with a digit or a sign. */
const somePasswords = /^\d{6,}$|^(?=.*[a-z])(?=.*(?:\d|[!#%^&*?~+]|[a-z]@|.\$))/is;
/** Eight characters with a letter, a digit and a sign. */
const strongPassword = /^(?=.*[a-z])(?=.*\d)(?=.*[!#%^&*?~+@$]).{8}/is;
