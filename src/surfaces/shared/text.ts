import type { ErrorReport } from '../../base/errors.ts';
import { sanitizeTerminalText, showName, withShownNames } from '../../base/terminal-text.ts';
import type { AnyOperation, CallEvent } from '../../operations/operation.ts';

/**
 * An output for people and models: the operation's own rendering, or its JSON. The only place that turns answers
 * into lines, so that no name in them can pass as a line.
 */
export function outputText(operation: AnyOperation, output: unknown, verbose = false): string {
  const text = operation.render
    ? operation.render(withShownNames(output), { verbose })
    : JSON.stringify(output, null, 2);
  return sanitizeTerminalText(text);
}

/**
 * The text of a failure. Its message is one line, whatever names it contains; the reason of an approval has its own
 * lines, with every name in quotes.
 */
export const failureText = ({ code, message }: Pick<ErrorReport, 'code' | 'message'>): string =>
  code === 'APPROVAL_REQUIRED' ? sanitizeTerminalText(message) : showName(message);

const marks = { pending: '·', in_progress: '▸', completed: '✓' };

export function eventText(event: CallEvent): string {
  switch (event.type) {
    case 'progress':
      return event.message;
    case 'text':
      return event.text;
    case 'tool_call':
      return `${event.name} ${JSON.stringify(event.input)}`;
    case 'tool_result':
      return `${event.is_error ? '  ✗ ' : '  → '}${event.text}`;
    case 'plan':
      return event.entries.map(({ content, status }) => `${marks[status]} ${showName(content)}`).join('\n');
    case 'approval':
      return event.message;
    case 'run':
      return event.text;
  }
}
