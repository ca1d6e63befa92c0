import { showName } from '../../base/terminal-text.ts';
import type { CallEvent, Progress } from '../../operations/operation.ts';
import type { Io } from './io.ts';

const width = 24;
const frameMs = 100;
const lineMs = 5000;

/** Progress with rate and remaining time: a bar on a terminal, and elsewhere a line every five seconds. */
export function progressBar(
  io: Io,
  quiet: boolean,
  now: () => number = Date.now,
): { show(event: CallEvent): void; end(): void } {
  if (quiet) return { show: () => {}, end: () => {} };
  let stage = { name: '', started: now() };
  let drawn = io.terminal ? 0 : now();
  let visible = false;
  return {
    show: (event) => {
      if (event.type !== 'progress') return;
      const at = now();
      const name = event.message.replace(/\d+/g, '');
      if (name !== stage.name) stage = { name, started: at };
      if (at - drawn < (io.terminal ? frameMs : lineMs)) return;
      drawn = at;
      const line = progressLine({ ...event, message: showName(event.message) }, (at - stage.started) / 1000);
      if (!io.terminal) return io.err(`${line}\n`);
      visible = true;
      io.err(`\r\x1b[2K${barOf(event)}${line}`);
    },
    end: () => {
      if (visible) io.err('\r\x1b[2K');
    },
  };
}

const shareOf = ({ done, total }: Progress): number => (total ? Math.min(1, done / total) : 0);

function barOf(progress: Progress): string {
  if (!progress.total) return '';
  const filled = Math.round(shareOf(progress) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
}

/** `seconds` is the time since this kind of work began; a rest is estimated after the first second. */
export function progressLine(progress: Progress, seconds: number): string {
  const { done, total, message } = progress;
  const rate = seconds > 0 ? done / seconds : 0;
  const speed = rate >= 1 ? ` ${Math.round(rate).toLocaleString('en')}/s` : '';
  if (!total && done === 0) return message;
  if (!total) return `${message} ${done.toLocaleString('en')}${speed}`;
  const left = seconds >= 1 && rate > 0 ? Math.ceil((total - done) / rate) : 0;
  const eta = left > 0 ? ` ${left >= 60 ? `${Math.floor(left / 60)}m` : ''}${left % 60}s left` : '';
  return `${Math.floor(shareOf(progress) * 100)}% ${message}${speed}${eta}`;
}
