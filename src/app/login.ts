import { join } from 'node:path';
import { z } from 'zod';
import { errorCodes, SylkError } from '../base/errors.ts';
import { fetchUrl } from '../base/fetch/index.ts';
import { state } from '../base/files/index.ts';
import type { Repository } from '../base/git/index.ts';
import { parseJsonObject } from '../base/json.ts';
import type { UserDirectories } from '../base/user-directory.ts';

const loginSchema = z.object({
  url: z.string(),
  /** The name by which the server has the repository; '' for its first one. */
  repository: z.string(),
  token: z.string(),
});
export type Login = z.output<typeof loginSchema>;

export interface LoginAccessors {
  /** The team that this repository belongs to on this machine, if the person has logged in. */
  login(): Login | undefined;
  saveLogin(login: Login | undefined): void;
  /** Runs an operation on the server of the team. */
  callTeam(request: { login: Login; name: string; input: unknown; timeoutMs?: number }): Promise<unknown>;
}

/** Tokens are in the person's own directory, readable for nobody else, and never in the repository. */
export function loginAccessors({
  repository,
  user,
}: {
  repository: Repository;
  user: UserDirectories;
}): LoginAccessors {
  const file = join(user.data, 'logins.json');
  const all = () => parseJsonObject(state.readText(file) ?? '{}');
  return {
    login: () => loginSchema.safeParse(all()[repository.mainRoot]).data,
    saveLogin: (login) => {
      const { [repository.mainRoot]: _before, ...others } = all();
      state.write(
        file,
        `${JSON.stringify(login ? { ...others, [repository.mainRoot]: login } : others, null, 2)}\n`,
      );
    },
    callTeam,
  };
}

async function callTeam({
  login,
  name,
  input,
  timeoutMs = 20_000,
}: Parameters<LoginAccessors['callTeam']>[0]): Promise<unknown> {
  const url = new URL(`api/${name}`, login.url.endsWith('/') ? login.url : `${login.url}/`);
  if (login.repository !== '') url.searchParams.set('repository', login.repository);
  const reply = await fetchUrl(url.href, {
    post: { type: 'application/json', body: Buffer.from(JSON.stringify(input)) },
    headers: { authorization: `Bearer ${login.token}` },
    allowHosts: [url.host],
    acceptStatus: Array.from({ length: 200 }, (_, at) => 400 + at),
    limits: { timeoutMs, maxBytes: 32_000_000, maxDecodedBytes: 64_000_000 },
  }).catch((error) => {
    throw new SylkError('UNAVAILABLE', `The server of your team at ${url.origin} can't be reached.`, {
      hint: 'Work goes on without it; what you write is sent later. `sylk sync` tries again.',
      data: { offline: true },
      cause: error,
    });
  });
  const body = parseJsonObject(reply.text());
  if (reply.status < 300) return body;
  const { code, message, hint } = failureSchema.parse(body['error']);
  throw new SylkError(code, `${url.origin}: ${message}`, {
    hint: reply.status === 401 ? 'Ask for a new token and run `sylk login` again.' : hint,
    data: { status: reply.status },
  });
}

const failureSchema = z
  .object({ code: z.enum(errorCodes), message: z.string(), hint: z.string().default('Try again later.') })
  .catch({
    code: 'UNAVAILABLE',
    message: 'it answered with something else than Sylk does.',
    hint: 'Check the address.',
  });
