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

/** Looking at every string of a large reply takes long; most replies hold nothing that could hide. */
function parse(text: string): unknown {
  if (!mayHide(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value));
}

export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  let reply: Response;
  try {
    reply = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization() },
      body: JSON.stringify(input, (_, value: unknown) =>
        typeof value === 'string' ? original(value) : value,
      ),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({
      code: 'UNAVAILABLE',
      message: 'Sylk does not answer.',
      hint: 'Is `sylk up` still running?',
    });
  }
  const body = parse(await reply.text()) as Output<Name> & {
    error?: ConstructorParameters<typeof ApiError>[0];
  };
  if (!reply.ok)
    throw new ApiError(
      body.error ?? { code: 'UNAVAILABLE', message: `The server answered ${reply.status}.` },
    );
  return body;
}
