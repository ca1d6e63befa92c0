import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { parseJsonObject } from '../../base/json.ts';
import { printCode } from './printed-codes.ts';

/** A new link to the running server of a repository, for the caller to print on a terminal. */
export async function newLink(tokenFile: string, personDirectory: string): Promise<string> {
  const { url } = parseJsonObject(state.readText(tokenFile));
  const answers =
    typeof url === 'string' &&
    /^http:\/\/127\.0\.0\.1:\d+$/.test(url) &&
    (await fetch(`${url}/api/sessions`).then(
      (reply) => reply.status === 401,
      () => false,
    ));
  if (!answers)
    throw new SylkError('UNAVAILABLE', 'No Sylk server is running for this repository.', {
      hint: 'Start one with `sylk up`.',
    });
  return `${url}/#code=${printCode(personDirectory, url)}`;
}
