import { createRequire } from 'node:module';
import type { Mark } from './secret-value.ts';

/** What of secretlint's rules is used: each is made with a context and reports ranges of the text it is given. */
interface Rule {
  meta: { id: string };
  create(
    context: {
      sharedOptions: object;
      createTranslator(): (id: string) => { message: string; messageId: string };
      report(found: { range: readonly [start: number, end: number] }): void;
      ignore(): void;
    },
    options: object,
  ): { file?(source: { filePath: string; content: string; contentType: 'text'; ext: string }): unknown };
}

type Found = [start: number, end: number, kind: string];
type Check = (text: string) => Found[];

let check: Check | undefined;

/**
 * The rules of secretlint's recommended preset, run at once and in this process. Not its rule that reads comments:
 * a text from outside could switch the others off with it. Loaded with the first text that could hold a token.
 */
function loadRules(): Check {
  const preset = createRequire(import.meta.url)('@secretlint/secretlint-rule-preset-recommend') as {
    rules: Rule[];
  };
  const found: Found[] = [];
  const scanners = preset.rules
    .filter(({ meta }) => !meta.id.endsWith('filter-comments'))
    .map(({ meta, create }) =>
      create(
        {
          sharedOptions: {},
          createTranslator: () => (messageId) => ({ message: messageId, messageId }),
          report: ({ range: [start, end] }) =>
            found.push([start, end, meta.id.slice(meta.id.indexOf('-rule-') + 6)]),
          ignore: () => undefined,
        },
        {},
      ),
    );
  return (content) => {
    found.length = 0;
    for (const scanner of scanners) scanner.file?.({ filePath: '', content, contentType: 'text', ext: '' });
    return found.sort(([a], [b]) => a - b);
  };
}

export function cutBySecretlint(text: string, mark: Mark): string {
  check ??= loadRules();
  let clean = '';
  let done = 0;
  for (const [start, end, kind] of check(text)) {
    if (end <= done || text.slice(start, end).includes('[redacted:')) continue;
    const from = Math.max(start, done);
    clean += text.slice(done, from) + mark(kind, text.slice(from, end));
    done = end;
  }
  return clean + text.slice(done);
}
