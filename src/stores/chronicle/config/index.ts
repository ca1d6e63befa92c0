import { z } from 'zod';
import { actingKey, configSection } from '../../../base/config/index.ts';

export const chronicleSection = configSection('chronicle', {
  promote_after_uses: actingKey(
    z.number().int().min(1).default(3),
    'successful uses that share a pattern with all sessions',
  ),
  promote_in_sessions: actingKey(
    z.number().int().min(1).default(2),
    'sessions in which those uses must have happened, at least',
  ),
});
