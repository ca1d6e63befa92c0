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

/** What a call is about, by the inputs that our tools and those of other agents have. */
const subjects = ['command', 'path', 'file_path', 'query', 'question', 'url', 'result'];
const shownLines = 6;

function callText({ name, input, change }: Extract<CallEvent, { type: 'tool_call' }>): string {
  const given = new Map(Object.entries(input ?? {}));
  const subject = subjects.map((key) => given.get(key)).find((value) => typeof value === 'string');
  const about = subject ?? (given.size === 0 ? '' : JSON.stringify(input));
  const head = `${name} ${about}`.trim();
  return [head, ...marked('-', change?.old_text), ...marked('+', change?.new_text)].join('\n    ');
}

function marked(mark: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, shownLines).map((line) => `${mark} ${line}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `${mark} … ${rest} more lines`] : shown;
}

export function eventText(event: CallEvent): string {
  switch (event.type) {
    case 'progress':
      return event.message;
    case 'text':
      return event.text;
    case 'tool_call':
      return callText(event);
    case 'tool_result':
      return `${event.is_error ? '  ✗ ' : '  → '}${event.text}`;
    case 'plan':
      return event.entries
        .flatMap(({ content, status }) => (status === 'in_progress' ? [`▸ ${showName(content)}`] : []))
        .join('\n');
    case 'approval':
      return event.message;
    case 'run':
      return event.text;
  }
}
