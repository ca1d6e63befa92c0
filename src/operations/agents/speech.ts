import type { ModelDelta } from '../../base/model/index.ts';
import type { CallEvent } from '../operation.ts';

/**
 * Shows what a model says while it says it. Only whole lines are shown: a secret that came in two parts would pass the redaction
 * of events.
 */
export function createSpeech(emit: (event: CallEvent) => void, now: () => number) {
  let rest = '';
  let isShown = false;
  const say = (text: string) => {
    if (text.trim() === '') return;
    isShown = true;
    emit({ type: 'text', from: 'agent', text });
  };
  return {
    hear(delta: ModelDelta): void {
      if (delta.type === 'retry') {
        const seconds = Math.max(1, Math.ceil((delta.at - now()) / 1000));
        const why = delta.kind.replaceAll('_', ' ');
        emit({ type: 'text', text: `No answer from the model (${why}). Asking again in ${seconds} s.` });
        rest = '';
      }
      if (delta.type !== 'text') return;
      const lines = (rest + delta.text).split('\n');
      rest = lines.pop() ?? '';
      say(lines.join('\n'));
    },
    /** The answer is whole. Says the rest of it, and answers whether any of it was shown. */
    end(): boolean {
      say(rest);
      const wasShown = isShown;
      rest = '';
      isShown = false;
      return wasShown;
    },
  };
}
