import { fixedClock } from '../../src/base/clock.ts';
import { createStaticEmbedder } from '../../src/base/embedding/index.ts';
import { subjectOf, timeScopeOf } from '../../src/base/text/index.ts';
import { createReader } from '../../src/engines/answers/reader/index.ts';
import type { Classify } from './measure.ts';

/** As if the Guide always knew whom a question is for and what it wants. */
export const givenIntent: Classify = async (text, group, now) => {
  const timeScope = timeScopeOf(text, now);
  return {
    agent: group.agent,
    intent: group.intent,
    subject: subjectOf(text),
    confidence: 0.9,
    ...(timeScope ? { timeScope } : {}),
  };
};

/** The Guide as it is, without a model. What it sends to somebody who does not know is kept by nobody. */
export function guideClassify(): { classify: Classify; close(): Promise<void> } {
  const embedder = createStaticEmbedder();
  const { read: classify } = createReader({ clock: fixedClock(), quick: async () => embedder });
  return {
    classify: async (text) => {
      const { target, intent, subject, confidence, time_scope } = await classify(text);
      return {
        agent: target as 'librarian',
        intent: intent as 'LOCATE',
        subject,
        confidence,
        ...(time_scope ? { timeScope: time_scope } : {}),
      };
    },
    close: () => embedder.release(),
  };
}
