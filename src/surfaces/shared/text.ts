import type { ErrorReport } from '../../base/errors.ts';
import { sanitizeTerminalText, showName, withShownNames } from '../../base/terminal-text.ts';
import type { AnyOperation, CallEvent } from '../../operations/operation.ts';

/**
 * An output as people and models read it: the operation's own rendering, or its JSON. The one place where answers
 * become lines, so that no name in them is taken for a line.
 */
export function outputText(operation: AnyOperation, output: unknown): string {
  const text = operation.render ? operation.render(withShownNames(output)) : JSON.stringify(output, null, 2);
  return sanitizeTerminalText(text);
}

/**
 * What a failure says. Its message is one line, whatever names stand in it; the reason of an approval has lines of its
 * own, and is put together with every name in quotes.
 */
export const failureText = ({ code, message }: Pick<ErrorReport, 'code' | 'message'>): string =>
  code === 'APPROVAL_REQUIRED' ? sanitizeTerminalText(message) : showName(message);

export function eventText(event: CallEvent): string {
  switch (event.type) {
    case 'progress':
      return event.message;
    case 'text':
      return event.text;
    case 'tool_call':
      return `${event.name} ${JSON.stringify(event.input)}`;
    case 'approval':
      return event.message;
  }
}
