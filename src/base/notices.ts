import { fetchUrl } from './fetch/index.ts';
import { runProcess } from './process/index.ts';
import { redactValue } from './redact.ts';

export interface Notice {
  title: string;
  text: string;
  /** For programs that read it. */
  data?: Record<string, string> | undefined;
}

const script = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
].flatMap((line) => ['-e', line]);

/** Tells a person something away from the terminal: `desktop`, or a URL of theirs that gets it as JSON. */
export async function sendNotice(to: string, notice: Notice): Promise<void> {
  const { title, text, data } = redactValue(notice);
  if (to === 'desktop') {
    const words = [title, text.slice(0, 500)];
    const [program, args] =
      process.platform === 'darwin'
        ? ['osascript', [...script, ...words]]
        : ['notify-send', ['--', ...words]];
    const { code, stderr } = await runProcess(program, args, { timeoutMs: 5000 });
    if (code !== 0) throw new Error(`${program}: ${stderr.trim().slice(0, 200)}`);
    return;
  }
  await fetchUrl(to, {
    post: { type: 'application/json', body: Buffer.from(JSON.stringify({ title, text, ...data })) },
    allowHosts: [new URL(to).host],
    limits: { timeoutMs: 10_000 },
  });
}
