import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import type { AnyOperation } from '../../operations/operation.ts';

/** An output as people and models read it: the operation's own rendering, or its JSON. */
export function outputText(operation: AnyOperation, output: unknown): string {
  const text = operation.render ? operation.render(output) : JSON.stringify(output, null, 2);
  return sanitizeTerminalText(text);
}
