import { isStopWord } from '../../base/text/index.ts';
import type { CodeEvidence, Place } from './evidence.ts';

/** A word defined in more places than this is just a word. */
const fewPlaces = 3;

/** The first definition that a sentence names: where to look instead. */
export async function spokenOf(
  sentence: string,
  code: CodeEvidence,
): Promise<{ name: string; place: Place } | undefined> {
  for (const [name] of sentence.matchAll(/[A-Za-z_$][\w$]{3,}/g)) {
    const found = isStopWord(name.toLowerCase()) ? [] : await code.definitions(name);
    if (found[0] && found.length <= fewPlaces) return { name, place: found[0] };
  }
  return undefined;
}
