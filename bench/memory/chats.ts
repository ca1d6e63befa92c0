/** One conversation of a coding agent with a person, as far as it edited files. */
export interface Chat {
  at: string;
  steps: Array<{ prompt: string; subject: string; files: string[] }>;
}

/** Conversations of an aider history (`.aider.chat.history.md`), oldest first. */
export function readChats(text: string): Chat[] {
  return text
    .split(/^# aider chat started at /m)
    .slice(1)
    .map((part) => ({
      at: part.slice(0, 19).replace(' ', 'T'),
      steps: part
        .split(/\n(?=#### )(?<!\n#### [^\n]*\n)/)
        .slice(1)
        .map(stepOf),
    }));
}

/** A pause after which the next commit of a person is another sitting. */
const pauseSeconds = 3 * 3600;

/**
 * Sittings of the people behind a history, oldest first: what somebody committed without a long pause. The first subject
 * stands for what was asked for.
 */
export function readSittings(log: string): Chat[] {
  const sittings: Array<Chat & { author: string; last: number }> = [];
  for (const record of log.split('\x01').slice(1)) {
    const [head = '', ...files] = record.split('\n').filter(Boolean);
    const [author = '', time = '0', subject = ''] = head.split('\0');
    const at = Number(time);
    const step = { prompt: subject.replace(/\s*\(#\d+\)/g, ''), subject, files };
    const open = sittings.findLast((each) => each.author === author && at - each.last < pauseSeconds);
    if (open) {
      open.steps.push(step);
      open.last = at;
    } else sittings.push({ author, last: at, at: new Date(at * 1000).toISOString(), steps: [step] });
  }
  return sittings;
}

function stepOf(part: string): Chat['steps'][number] {
  const lines = part.split('\n').map((line) => line.trimEnd());
  const prompt = lines
    .filter((line) => line.startsWith('#### '))
    .map((line) => line.slice(5).trim())
    .join(' ')
    .trim();
  const after = (start: string) =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  const files = after('> Applied edit to ').map((path) => path.replaceAll('\\', '/'));
  const [subject = ''] = after('> Commit ')
    .map((line) => line.replace(/^[0-9a-f]{7,} /, ''))
    .reverse();
  return { prompt, subject, files: [...new Set(files)] };
}
