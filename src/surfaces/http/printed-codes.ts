import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import { codeLifeMs, digestOf, type PrintedCodes } from './tokens.ts';

/** Where a terminal saves the digest of the code it printed: in the person's own directory, one file per server. */
const fileFor = (personDirectory: string, server: string): string =>
  join(personDirectory, 'run', `link-${createHash('sha256').update(server).digest('hex').slice(0, 16)}.json`);

/**
 * Creates a code for a server in another process. The code goes to the terminal only; the file holds its digest, so that
 * reading the file opens nothing.
 */
export function printCode(personDirectory: string, server: string, now = Date.now()): string {
  const code = randomBytes(32).toString('base64url');
  const content = JSON.stringify({ digest: digestOf(code), expires: now + codeLifeMs });
  state.write(fileFor(personDirectory, server), content);
  return code;
}

export function printedCodes(personDirectory: string, server: () => string): PrintedCodes {
  return {
    take: (digest, now) => {
      const file = fileFor(personDirectory, server());
      const text = state.readText(file);
      if (text === undefined) return false;
      let kept: { digest?: unknown; expires?: unknown };
      try {
        kept = JSON.parse(text) as typeof kept;
      } catch {
        return false;
      }
      const { expires } = kept;
      if (kept.digest !== digest || typeof expires !== 'number') return false;
      state.remove(file);
      return expires > now && expires <= now + codeLifeMs;
    },
  };
}
