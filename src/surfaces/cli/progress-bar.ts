import { showName } from '../../base/terminal-text.ts';
import type { CallEvent, Progress } from '../../operations/operation.ts';
import type { Io } from './io.ts';

const width = 24;
const frameMs = 100;

/** A bar with rate and remaining time on a terminal; nothing elsewhere, because standard error may be a log. */
export function progressBar(io: Io, quiet: boolean): { show(event: CallEvent): void; end(): void } {
  if (quiet || !io.terminal) return { show: () => {}, end: () => {} };
  const started = Date.now();
  let drawn = 0;
  let visible = false;
  return {
    show: (event) => {
      if (event.type !== 'progress') return;
      const now = Date.now();
      if (now - drawn < frameMs) return;
      drawn = now;
      visible = true;
      io.err(`\r\x1b[2K${barLine({ ...event, message: showName(event.message) }, (now - started) / 1000)}`);
    },
    end: () => {
      if (visible) io.err('\r\x1b[2K');
    },
  };
}

export function barLine({ done, total, message }: Progress, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const speed = rate > 0 ? ` ${Math.round(rate).toLocaleString('en')}/s` : '';
  if (!total) return `${message} ${done.toLocaleString('en')}${speed}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * width);
  const left = rate > 0 ? Math.ceil((total - done) / rate) : 0;
  const eta = left > 0 ? ` ${left >= 60 ? `${Math.floor(left / 60)}m` : ''}${left % 60}s left` : '';
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor(share * 100)}% ${message}${speed}${eta}`;
}
