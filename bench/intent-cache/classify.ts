import { subjectOf, timeScopeOf } from '../../src/base/text/index.ts';
import type { Classify } from './measure.ts';

export const guideClassify: Classify = (text, group, now) => {
  const timeScope = timeScopeOf(text, now);
  return {
    agent: group.agent,
    intent: group.intent,
    subject: subjectOf(text),
    confidence: 0.9,
    ...(timeScope ? { timeScope } : {}),
  };
};
