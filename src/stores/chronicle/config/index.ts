import { z } from 'zod';
import { actingKey, configSection } from '../../../base/config/index.ts';

export const chronicleSection = configSection('chronicle', {
  promote_after_uses: actingKey(
    z.number().int().min(1).default(3),
    'successful uses after which a pattern is shared with all sessions',
  ),
  promote_in_sessions: actingKey(
    z.number().int().min(1).default(2),
    'minimum number of sessions with such uses',
  ),
});
