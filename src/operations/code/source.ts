import { SylkError } from '../../base/errors.ts';
import { tree } from '../../base/files/index.ts';
import { redact } from '../../base/redact.ts';
import { fitsTokens } from '../../base/tokens.ts';
import type { SymbolRecord } from '../../stores/code/index.ts';

/** The lines of a symbol as they are on disk now, cut to the size of the reply. */
export async function readSource(
  root: string,
  symbol: SymbolRecord,
  maxTokens = 3000,
): Promise<{ source: string; truncated?: boolean }> {
  let lines: string[];
  try {
    lines = tree
      .read(root, symbol.path)
      .toString('utf8')
      .split('\n')
      .slice(symbol.line - 1, symbol.end_line);
  } catch (error) {
    throw new SylkError('NOT_FOUND', `${symbol.path} can no longer be read.`, {
      hint: 'Run `sylk index` to update the index.',
      cause: error,
    });
  }
  let kept = lines;
  while (kept.length > 1 && !(await fitsTokens(kept.join('\n'), maxTokens)))
    kept = kept.slice(0, Math.ceil(kept.length * 0.8) - 1);
  const source = redact(kept.join('\n'));
  return kept.length < lines.length ? { source, truncated: true } : { source };
}
