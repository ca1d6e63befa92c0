import { createHash, randomBytes } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import type { Access } from '../../operations/members.ts';

/** An agent holds the API token. A person holds a session, which only a code from a terminal opens. */
export type Identity = {
  /** In a team: who it is, with the rights of this moment. */
  access?: Access | undefined;
  /** False once the session or the token has ended or expired. */
  isOpen(): boolean | Promise<boolean>;
} & (
  | { kind: 'network' }
  | { kind: 'person'; session: string /** Id of the member who logged in. */; member?: string | undefined }
);

export interface PersonSession {
  /** Identifies the session in lists; grants nothing. */
  id: string;
  browser: string;
  /** Who logged in; empty for whoever came by a link of the terminal. */
  name: string;
  opened_at: string;
  expires_at: string;
}

/** A member who proved who they are: the id finds the rights at each call. */
export interface LoggedIn {
  id: string;
  name: string;
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
  const codes = new Map<string, { expires: number; member?: LoggedIn | undefined }>();
  const sessions = new Map<string, { shown: PersonSession; expires: number; member?: string | undefined }>();
  const gestures = new Map<string, { about: string; expires: number; used: boolean }>();

  const isOpen = (digest: string): boolean => (sessions.get(digest)?.expires ?? 0) > now();
  const forgetExpired = (): void => {
    for (const held of [codes, sessions, gestures])
      for (const [digest, { expires }] of held) if (expires <= now()) held.delete(digest);
  };
  const redeem = (code: string): { member?: LoggedIn | undefined } | undefined => {
    const digest = digestOf(code);
    const issued = codes.get(digest);
    codes.delete(digest);
    if (issued) return issued.expires > now() ? issued : undefined;
    return printed.take(digest, now()) ? {} : undefined;
  };

  const newSession = (browser: string, member?: LoggedIn): string => {
    forgetExpired();
    const token = secret();
    const expires = now() + sessionLifeMs;
    const shown = {
      id: randomBytes(6).toString('hex'),
      browser: browser.slice(0, 200),
      name: member?.name ?? '',
      opened_at: new Date(now()).toISOString(),
      expires_at: new Date(expires).toISOString(),
    };
    sessions.set(digestOf(token), { shown, expires, member: member?.id });
    return token;
  };

  return {
    api,
    /** For the link that this process prints on its terminal, or for a member who has just proved who they are. */
    issueCode: (member?: LoggedIn): string => {
      forgetExpired();
      const code = secret();
      codes.set(digestOf(code), { expires: now() + codeLifeMs, member });
      return code;
    },
    /** The secret of a session is made here, at each login anew: nobody can choose it beforehand. */
    openSession: (code: string, browser: string): string | undefined => {
      const redeemed = redeem(code);
      return redeemed && newSession(browser, redeemed.member);
    },
    /** `name`: of this member only. */
    sessions: (name?: string): PersonSession[] =>
      [...sessions]
        .filter(([digest, { shown }]) => isOpen(digest) && (name === undefined || shown.name === name))
        .map(([, { shown }]) => shown),
    endSession: (id: string, name?: string): boolean => {
      const [digest] =
        [...sessions].find(
          ([, { shown }]) => shown.id === id && (name === undefined || shown.name === name),
        ) ?? [];
      return digest !== undefined && sessions.delete(digest);
    },
    identify: (token: string): Identity | undefined => {
      const digest = digestOf(token);
      if (digest === apiDigest) return { kind: 'network', isOpen: () => true };
      const session = sessions.get(digest);
      if (!session || !isOpen(digest)) return undefined;
      const { shown, member } = session;
      return { kind: 'person', session: shown.id, member, isOpen: () => isOpen(digest) };
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
