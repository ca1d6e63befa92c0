import { createHash, randomBytes } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';

/** An agent holds the API token. A person holds a session, which only a code from a terminal opens. */
export type Identity =
  | { kind: 'network' }
  | {
      kind: 'person';
      session: string /** False once the session has ended or expired. */;
      isOpen(): boolean;
    };

export interface PersonSession {
  /** Identifies the session in lists; grants nothing. */
  id: string;
  browser: string;
  opened_at: string;
  expires_at: string;
}

/** Codes that another process printed on a terminal; only their digests are stored. */
export interface PrintedCodes {
  take(digest: string, now: number): boolean;
}

export const codeLifeMs = 10 * 60_000;
const sessionLifeMs = 24 * 60 * 60_000;
const gestureLifeMs = 60_000;

export const secret = (): string => randomBytes(32).toString('base64url');
/** Looks up secrets by digest, so that comparison time reveals nothing. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** All secrets of one server. They are in memory and end with it; only `api` is written to a file. */
export function createTokens(printed: PrintedCodes, now: () => number = Date.now) {
  const api = secret();
  const apiDigest = digestOf(api);
  const codes = new Map<string, { expires: number }>();
  const sessions = new Map<string, { shown: PersonSession; expires: number }>();
  const gestures = new Map<string, { about: string; expires: number; used: boolean }>();

  const isOpen = (digest: string): boolean => (sessions.get(digest)?.expires ?? 0) > now();
  const forgetExpired = (): void => {
    for (const held of [codes, sessions, gestures])
      for (const [digest, { expires }] of held) if (expires <= now()) held.delete(digest);
  };
  const redeem = (code: string): boolean => {
    const digest = digestOf(code);
    const issued = codes.get(digest);
    codes.delete(digest);
    return issued ? issued.expires > now() : printed.take(digest, now());
  };

  return {
    api,
    /** For the link that this process prints on its terminal. */
    issueCode: (): string => {
      forgetExpired();
      const code = secret();
      codes.set(digestOf(code), { expires: now() + codeLifeMs });
      return code;
    },
    openSession: (code: string, browser: string): string | undefined => {
      if (!redeem(code)) return undefined;
      forgetExpired();
      const token = secret();
      const expires = now() + sessionLifeMs;
      const shown = {
        id: randomBytes(6).toString('hex'),
        browser: browser.slice(0, 200),
        opened_at: new Date(now()).toISOString(),
        expires_at: new Date(expires).toISOString(),
      };
      sessions.set(digestOf(token), { shown, expires });
      return token;
    },
    sessions: (): PersonSession[] =>
      [...sessions].filter(([digest]) => isOpen(digest)).map(([, { shown }]) => shown),
    endSession: (id: string): boolean => {
      const [digest] = [...sessions].find(([, { shown }]) => shown.id === id) ?? [];
      return digest !== undefined && sessions.delete(digest);
    },
    identify: (token: string): Identity | undefined => {
      const digest = digestOf(token);
      if (digest === apiDigest) return { kind: 'network' };
      const session = sessions.get(digest);
      if (!session || !isOpen(digest)) return undefined;
      return { kind: 'person', session: session.shown.id, isOpen: () => isOpen(digest) };
    },
    /** One click confirms one decision, exactly as shown. */
    issueGesture: (session: string, operation: string, input: unknown): string => {
      forgetExpired();
      const gesture = secret();
      const about = aboutOf(session, operation, input);
      gestures.set(digestOf(gesture), { about, expires: now() + gestureLifeMs, used: false });
      return gesture;
    },
    useGesture: (given: string | undefined, session: string, operation: string, input: unknown): void => {
      const gesture = given === undefined ? undefined : gestures.get(digestOf(given));
      if (gesture?.used)
        throw new SylkError('CONFLICT', 'This decision was already sent.', {
          hint: 'Reload the page to see its result.',
        });
      if (!gesture || gesture.expires <= now() || gesture.about !== aboutOf(session, operation, input))
        throw new SylkError('DENIED', 'A decision needs a click on the page that shows it.', {
          hint: 'Decide on the dashboard, or run the command in a terminal.',
        });
      gesture.used = true;
    },
  };
}

const aboutOf = (session: string, operation: string, input: unknown): string =>
  JSON.stringify([session, operation, input]);

export type Tokens = ReturnType<typeof createTokens>;
