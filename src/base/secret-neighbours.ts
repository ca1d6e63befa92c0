import { isRandomRun } from './secret-random.ts';
import services from './secret-services.json' with { type: 'json' };
import type { Mark } from './secret-value.ts';

/** What could be a value without a form of its own, after the name that some settings have right before it. */
const runs =
  /(?<=^|[\s"'`=:,;|>(<[{}\])]|^\s*(?:#|\/\/|\/\*|--))(?!\/\/)([A-Za-z_][\w.-]{0,40}={1,2}(?=[^=\s]))?([\w+/.-][\w+/=~.-]{11,399})(?![\w+/~@(-])/gm;

/** Words beside a value that say what it is. */
const says =
  /pass(?:w(?:or)?d|phrase|code)|(?<![a-z])(?:pwd|pw|psk|pat)(?![a-z])|secret|token|key(?![a-z])|credential|(?<![a-z])auth|bearer|licen[cs]e|signing|session|cookie|private/i;
/** Names of what is public, and of sums of other things. */
const harmless =
  /sha-?\d|md5|crc|hash|\bsum\b|checksum|digest|integrity|commit|revision|\brev\b|\bref\b|etag|fingerprint|thumbprint|\bcid\b|public|pub_?key|\bcert|ssh-|ecdsa|nonce|salt|\bid\b|_id\b|[a-z]I[dD]\b|uuid|guid|ulid|version|build|blob|tree|image|font|data:|base64|base32|encode|h1:|resolved|signature|address|txid|\biv\b|sprite|icon|path|\bd="|url\(|href|src=|golden|snapshot|ids\b|[a-z]Ids\b|data-[a-z-]+=|&amp;|csrf|boundary|track|verification/i;
/** Digests, ids, versions and dates, whole or joined: random, and mostly no secret. */
const numbered =
  /^(?:[\da-f._/-]+|[\dA-F._/-]+|v?\d+\.\d+.*|0[0-7][0-9A-HJKMNP-TV-Z]{24}|(?:MII|MF[Ikw]w|MCow|MHYw|AAAA)[\w+/]{16,}={0,2}|(?:[\w.-]+\/)*[a-z_]{2,20}_0[\da-z]{8}[\da-f]{20}|(?:chatcmpl|cmpl|msg|req|resp|call|toolu|run|thread|asst|evt|fc|rs|item|gen|batch|file|cus|acct|asciicast)[_-].*|\d{4}-?\d\d-?\d\d[T_].*|[\w.]+[-_.][\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}.*)$/;
/** Those that are keys of some services, and the words that have to say so. */
const digestLike =
  /^(?:[\da-f]{24,}|[\dA-F]{24,}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|v\d\.\d-[\da-f-]{40,}|\d+[.-][\da-f]{24,}[.\da-f]*)$/i;
/** How git names a commit. */
const objectName = /^(?:[\da-f]{40}|[\da-f]{64})$/;
const saysKey =
  /pass(?:word|phrase)|secret|token|(?:api|access|auth|private|licen[cs]e|service|account|admin|master|client|application|app|write|deploy)[ _-]?key|[_-]key|bearer|credential|sonar\.login/i;
const ofService = new RegExp(`(?<![a-z])(?:${services.join('|')})(?![a-z]{2})`, 'i');

/** A label that names nothing itself: what it is about stands in the line before. */
const emptyLabel =
  /^[\s>*<"'`{(|-]*(?:(?:value|val|content|default|data|string|text)["'`>]?\s{0,2}[:=>]?)?[\s"'`>=:]*$/i;
const saidBehind =
  /^["'`)\]>,;]{0,3}\s+(?:(?:is|was|as|for|being)\s+(?:the|a|an|my|our|your|its|this)?\s*(?:[\w-]+\s+){0,3}|(?:#|\/\/|--|\/\*|<!--|←|<-)\s*[^\n]{0,30}?)(?:pass(?:word|phrase|code)|secret|token|(?:\w+ )?key|credentials?)\b/i;

const isPath = (value: string): boolean => (value.match(/(?:^|\/)[a-z]{3,}(?=[./]|$)/g)?.length ?? 0) >= 2;
interface Around {
  before: string;
  behind: string;
}

/** What stands around a value: its line, and the one before where its own label says nothing. */
function around(text: string, at: number, end: number): Around {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const found = text.indexOf('\n', end);
  const lineEnd = found < 0 ? text.length : found;
  const before = text.slice(Math.max(lineStart, at - 80), at);
  return {
    before: lineStart > 0 && emptyLabel.test(before) ? text.slice(Math.max(0, lineStart - 80), at) : before,
    behind: text.slice(end, Math.min(lineEnd, end + 60)),
  };
}

function isSecret(text: string, at: number, value: string): boolean {
  const isDigest = digestLike.test(value);
  if (!isDigest && (numbered.test(value) || isPath(value))) return false;
  const { before, behind } = around(text, at, at + value.length);
  if (harmless.test(before.slice(-40))) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const isSaid = saidBehind.test(behind) || says.test(before.slice(-60));
  if (isDigest && new Set(value).size < 8) return false;
  const isOfService = ofService.test(before.slice(-40));
  if (isDigest)
    return (
      saidBehind.test(behind) || saysKey.test(before.slice(-24)) || (isOfService && !objectName.test(value))
    );
  if (isSaid)
    return digits >= 1
      ? isRandomRun(value, digits >= 2 ? 0.45 : 0.55)
      : value.length >= 20 && isRandomRun(value, 0.55);
  return isOfService && digits >= 1 && isRandomRun(value, 0.55);
}

/**
 * Values that only their neighbours tell of: a run that chance made, beside a word or a service that says what it is. One that stands alone
 * stays: branches, ids and addresses look like that, and a command that lost its branch is of no use.
 */
export function cutNeighbours(text: string, mark: Mark): string {
  return text.replace(runs, (whole, label: string | undefined, run: string, at: number) => {
    const isLabel = label !== undefined && !isRandomRun(label, 0.55);
    const start = isLabel ? label.length : 0;
    const value = (isLabel ? run : whole).replace(/[.]+$/, '');
    return isSecret(text, at + start, value)
      ? `${whole.slice(0, start)}${mark('random-value', value)}${whole.slice(start + value.length)}`
      : whole;
  });
}
