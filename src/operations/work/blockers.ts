import { SylkError } from '../../base/errors.ts';
import { noOperation, type Work } from '../../stores/work/index.ts';
import { containerId } from '../work-inputs.ts';

/** Full ids of what was given as blockers. Lenient: what cannot be found is left out, as it blocks nothing. */
export async function blockerIds(work: Work, given: string[], { lenient = false } = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const one of given.filter((text) => text.trim() !== '')) {
    if (one.trim().toUpperCase() === noOperation) ids.push(noOperation);
    else {
      try {
        ids.push(await containerId(work, one));
      } catch (error) {
        if (!lenient && error instanceof SylkError && error.code === 'NOT_FOUND')
          throw new SylkError('VALIDATION_ERROR', error.message, { hint: error.hint ?? '' });
        if (!lenient) throw error;
      }
    }
  }
  return ids;
}
