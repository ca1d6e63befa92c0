import type { Operations } from './operations.gen.ts';
import { mayHide, original, visible } from './visible.ts';

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]['input'];
export type Output<Name extends OperationName> = Operations[Name]['output'];

/** What the server said went wrong, with the next step. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(error: { code: string; message: string; hint?: string; data?: Record<string, unknown> }) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint;
    this.data = error.data;
  }
}

const storageKey = 'sylk-token';

export const signedIn = (): boolean => sessionStorage.getItem(storageKey) !== null;

/** The link from the terminal carries a code behind `#`; it is exchanged once and leaves the address at once. */
export async function signIn(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (!code) return;
  history.replaceState(null, '', location.pathname + location.search);
  await openSession(code);
}

export async function openSession(code: string): Promise<void> {
  const reply = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (reply.ok) sessionStorage.setItem(storageKey, ((await reply.json()) as { token: string }).token);
}

export const authorization = (): Record<string, string> => {
  const token = sessionStorage.getItem(storageKey);
  return token ? { authorization: `Bearer ${token}` } : {};
};

const repositoryKey = 'sylk-repository';
export const chosenRepository = (): string | null => sessionStorage.getItem(repositoryKey);

/** Everything that is shown belongs to one repository: another one begins at its home. */
export function chooseRepository(name: string): void {
  sessionStorage.setItem(repositoryKey, name);
  location.assign('/');
}

/** The address of something in the chosen repository of this server. */
export const addressOf = (path: string): string => {
  const name = chosenRepository();
  return name === null ? path : `${path}?repository=${encodeURIComponent(name)}`;
};

/** Looking at every string of a large reply takes long; most replies hold nothing that could hide. */
function parse(text: string): unknown {
  if (!mayHide(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value));
}

export const call = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> => send(`/api/${name}`, { input, signal });

/** Begins what goes on when this page is closed; the answer is there only where it ends at once. */
export const begin = <Name extends OperationName>(name: Name, input: Input<Name>): Promise<unknown> =>
  send(`/api/${name}`, { input, headers: { prefer: 'respond-async' } });

/** A decision of the person at the screen: each click buys one gesture, which the server takes once. */
export async function decide<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  const { gesture } = await send<{ gesture: string }>('/api/gesture', { input: { operation: name, input } });
  return send(`/api/${name}`, { input, headers: { 'x-sylk-gesture': gesture } });
}

interface Request {
  method?: string;
  input?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** One request to the server, with what it says when it fails. */
export async function send<Answer>(
  path: string,
  { method = 'POST', input, headers, signal }: Request,
): Promise<Answer> {
  let reply: Response;
  try {
    reply = await fetch(addressOf(path), {
      method,
      headers: { 'content-type': 'application/json', ...authorization(), ...headers },
      body:
        input === undefined
          ? null
          : JSON.stringify(input, (_, value: unknown) =>
              typeof value === 'string' ? original(value) : value,
            ),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({
      code: 'UNAVAILABLE',
      message: 'Sylk does not answer.',
      hint: 'Is `sylk up` still running?',
    });
  }
  // The session has ended: the next load of the page says how to open another.
  if (reply.status === 401) sessionStorage.removeItem(storageKey);
  const body = parse(await reply.text()) as Answer & {
    error?: ConstructorParameters<typeof ApiError>[0];
  };
  if (!reply.ok)
    throw new ApiError(
      body.error ?? { code: 'UNAVAILABLE', message: `The server answered ${reply.status}.` },
    );
  return body;
}
