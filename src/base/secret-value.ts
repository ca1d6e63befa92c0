/** What stands in place of a secret. */
export type Mark = (kind: string, secret: string) => string;

/** How much a value itself has to look like a credential: little after "password =", more after "token:" or in prose, a long random run where a sentence goes on, one that is no digest or an id beside the name of a service, nothing where the place and the shape say it. */
export type Proof = 'some' | 'mixed' | 'firm' | 'dense' | 'known' | 'none' | 'place';

const placeholder =
  /^(?:[\W_]*|(.)\1*|(?:x|\*|\.|-|0)+|(?:your|my|our|the|some|any|example|sample|dummy|fake|insert|enter|change|replace)[-_ .]?[a-z_ -]*|(?:p(?:ass|wd?)|passwords?|passwd|passphrase|secret|token|undefined|null|none|true|false|required|optional)|value\d*|[a-z]\w*_(?:token|secret|password|key|id))$/i;
/** What a template, a shell, a format string or a call puts in later. */
const filledInLater =
  /^(?:this|self|super)(?:[?!]?\.#?[A-Za-z_$][\w$]*)+$|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*\.#[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$|^!\w|^0x[\da-f]+$|^[$%@&#]?[{(<[]|\$\{|\$\(|\{\{|<%|%[sdv(]|%\w+%|^\$\w+$|^[$@:]\w+(?:[.:>-]+\w+)*$|\)$|\(\)|=>|::|->|^\[redacted/;
const place = /^(?:\.{0,2}\/|~\/|[a-z]:\\|[a-z][a-z+.-]*:\/\/|file:|arn:aws)/i;
/** Algorithms, versions and services that have a digit in their name. */
const namedThing =
  /^(?:sha|md|base|utf|rfc|https?|oauth|tls|ssl|v|bcrypt|aes|rsa|hs|rs|es|x|pbkdf|argon|ipv|k|s|ec|iso|debug|u?int|float|i|a|log)[-_]?\d{1,5}[-_.a-z]{0,12}\d{0,4}$/;

const count = (value: string, pattern: RegExp): number => value.match(pattern)?.length ?? 0;

/** Words joined as code joins them, such as `GetAllKeys`. */
const joinedWords = /^-?[a-z]*(?:[A-Z][a-z]{2,})+(?:[A-Z][a-z]?)?$/;

/** A member of a member, such as `SyntaxKind.EndOfFile`. */
const dottedNames = /^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\.)+[A-Z]?[a-z]+(?:[A-Z][a-z]+)*$/;

/** How many bits a character carries, by how often each occurs. */
function entropy(value: string): number {
  const counts = Map.groupBy(value, (sign) => sign).values();
  let bits = 0;
  for (const { length } of counts) bits -= (length / value.length) * Math.log2(length / value.length);
  return bits;
}

/** A long run of hexadecimal digits, or of capitals, small letters and digits that hardly repeat. */
function isDense(value: string): boolean {
  if (value.length < 32 || !/\d/.test(value)) return false;
  if (/^[\da-f]+$/i.test(value)) return /[a-f]/i.test(value);
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && entropy(value) >= 4.5;
}

/** Letters and digits in an order that no word, name or version has. */
function isScrambled(value: string): boolean {
  if (joinedWords.test(value) || dottedNames.test(value)) return false;
  if (isDense(value)) return true;
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
  if (proof === 'dense') return isDense(value) && !place.test(value);
  if (proof === 'known') return isUuid.test(value) || (isDense(value) && !/^[\da-f]+$/i.test(value));
  if (dated.test(value)) return false;
  if (proof === 'mixed') return mixedPassword.test(value) && !joinedWords.test(value) && !place.test(value);
  const scrambled = isScrambled(value);
  if (place.test(value) && !(scrambled && keyWithSlashes.test(value))) return false;
  if (scrambled) return proof === 'some' || value.length >= 8;
  return proof === 'some' ? somePasswords.test(value) : strongPassword.test(value);
}

const isUuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const dated = /^\d{4}-\d\d-\d\d(?:[T_]|$)/;

/** A random key may begin as a path does. */
const keyWithSlashes = /^(?:[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{42,}={1,2})$/;

/** Six digits, or letters with a digit or a sign. */
const somePasswords = /^\d{6,}$|^(?=.*[a-z])(?=.*(?:\d|[!#%^&*?~+]|[a-z]@|.\$))/is;
/** A digit beside capitals and small letters, or beside letters and a sign. */
const mixedPassword = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z!#%^&*?~+@$])[^.()]{6,}[^:]$/s;
/** Eight characters with a letter, a digit and a sign. */
const strongPassword = /^(?=.*[a-z])(?=.*\d)(?=.*[!#%^&*?~+@$]).{8}/is;
