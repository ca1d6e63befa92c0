import { closest } from './closest.ts';
import { SylkError } from './errors.ts';
import { redact } from './redact.ts';
import { unseen } from './terminal-text.ts';

/** Where a thing stands when links are judged: the code itself, what happened, what is known about it. */
export type Side = 'code' | 'history' | 'knowledge';

/** Every kind of thing a link can hold on to, and the side it stands on. */
export const refKinds = {
  file: 'code',
  symbol: 'code',
  package: 'code',
  commit: 'history',
  entry: 'history',
  session: 'history',
  workflow: 'history',
  outcome: 'history',
  decision: 'history',
  mistake: 'history',
  checkpoint: 'history',
  answer: 'history',
  project: 'history',
  feature: 'history',
  task: 'history',
  section: 'history',
  topic: 'knowledge',
  library: 'knowledge',
  atom: 'knowledge',
  molecule: 'knowledge',
  skill: 'knowledge',
} as const satisfies Record<string, Side>;
export type RefKind = keyof typeof refKinds;

export interface Ref {
  kind: RefKind;
  id: string;
  side: Side;
}

/** The longest path of common systems, every byte of it escaped. */
const longest = 3 * 4096 + 200;

/** What cannot stand in one line, blanks at an end, and a percent sign that would be read as an escape. */
const unsafe = new RegExp(`${unseen}|^\\s|\\s$|%(?=[\\da-fA-F]{2})`, 'gsu');
const escaped = (sign: string): string => encodeURIComponent(sign.toWellFormed());
/** Without secrets first: what is escaped is no longer seen as one. */
const encode = (path: string): string => redact(path).replace(unsafe, escaped);
/** In a symbol's ref these end the path. */
const encodeInSymbol = (path: string): string =>
  redact(path)
    .replace(/[%#~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replace(unsafe, (sign) => (sign === '%' ? sign : escaped(sign)));
const decode = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

export const refOf = (kind: RefKind, id: string): string => `${kind}:${id}`;
export const isRefOf = (ref: string, kind: RefKind): boolean => ref.startsWith(`${kind}:`);
/** What follows the kind, a path as it is on disk. */
export const idOf = (ref: string): string => {
  const id = ref.slice(ref.indexOf(':') + 1);
  return isRefOf(ref, 'file') ? decode(id) : id;
};

export const fileRef = (path: string): string => `file:${encode(path)}`;
/** `symbol:path#key`; the file itself without a key. */
export const codeRef = (path: string, key: string): string =>
  key === '' ? fileRef(path) : `${symbolsOf(path)}${key}`;
/** What the refs of all symbols of a file start with. */
export const symbolsOf = (path: string): string => `symbol:${encodeInSymbol(path)}#`;

/** Reads `symbol:path#key`, `path#key` and `file:path`; anything else is a name. */
export function parseCodeRef(text: string): { path: string; key: string } | undefined {
  if (isRefOf(text, 'file')) return { path: idOf(text), key: '' };
  const bare = isRefOf(text, 'symbol') ? text.slice('symbol:'.length) : text;
  const hash = bare.indexOf('#');
  return hash <= 0 ? undefined : { path: decode(bare.slice(0, hash)), key: bare.slice(hash + 1) };
}

/**
 * `kind:id`. The kind is one of a closed set; the id is whatever its store gave, without secrets. Every path can be a
 * ref: what cannot stand in one line is escaped.
 */
export function parseRef(text: string): Ref {
  const colon = text.indexOf(':');
  const kind = text.slice(0, colon);
  const written = text.slice(colon + 1).trim();
  const id = kind === 'file' ? encode(decode(written)) : redact(written);
  const shown = JSON.stringify(text.slice(0, 120));
  if (colon <= 0 || id === '') {
    throw new SylkError('VALIDATION_ERROR', `${shown} is not a ref.`, {
      hint: 'Refs are kind:id, such as file:src/a.ts, symbol:src/a.ts#login, entry:ent_… or topic:topic-….',
    });
  }
  if (!Object.hasOwn(refKinds, kind)) {
    const near = closest(kind, Object.keys(refKinds));
    throw new SylkError('VALIDATION_ERROR', `${shown} has an unknown kind.`, {
      hint: near ? `Did you mean ${near}:?` : `Kinds are ${Object.keys(refKinds).join(', ')}.`,
    });
  }
  if (text.length > longest || /[\0-\x1f\x7f]/.test(id)) {
    throw new SylkError('VALIDATION_ERROR', `${shown} is too long or has control characters.`, {
      hint: `A ref is one line of at most ${longest} characters.`,
    });
  }
  return { kind: kind as RefKind, id, side: refKinds[kind as RefKind] };
}

export const refText = (text: string): string => {
  const { kind, id } = parseRef(text);
  return `${kind}:${id}`;
};

export const isRef = (text: string): boolean => {
  try {
    parseRef(text);
    return true;
  } catch {
    return false;
  }
};
