import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { redact } from '../../base/redact.ts';

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

const longest = 1000;

/** `kind:id`. The kind is one of a closed set; the id is whatever its store gave, without line breaks and secrets. */
export function parseRef(text: string): Ref {
  const colon = text.indexOf(':');
  const kind = text.slice(0, colon);
  const id = redact(text.slice(colon + 1).trim());
  const shown = JSON.stringify(text.slice(0, 120));
  if (colon <= 0 || id === '') {
    throw new SylkError('VALIDATION_ERROR', `${shown} is not a ref.`, {
      hint: 'Refs are kind:id, such as file:src/a.ts, symbol:src/a.ts#login, entry:ent_… or topic:topic-….',
    });
  }
  if (!Object.hasOwn(refKinds, kind)) {
    const near = closest(kind, Object.keys(refKinds));
    throw new SylkError('VALIDATION_ERROR', `${shown} is of no kind that can be linked.`, {
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
