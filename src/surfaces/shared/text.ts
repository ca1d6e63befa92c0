import { sanitizeTerminalText, withShownNames } from '../../base/terminal-text.ts';
import type { AnyOperation } from '../../operations/operation.ts';

/**
 * An output as people and models read it: the operation's own rendering, or its JSON. The one place where answers
 * become lines, so that no name in them is taken for a line.
 */
export function outputText(operation: AnyOperation, output: unknown): string {
  const text = operation.render ? operation.render(withShownNames(output)) : JSON.stringify(output, null, 2);
  return sanitizeTerminalText(text);
}
