import { z } from 'zod';
import { actingKey, configSection } from '../../../base/config/index.ts';

export const sessionsSection = configSection('sessions', {
  auto_suspend_after: actingKey(
    z.number().int().min(0).default(7200),
    'seconds without activity after which a session is suspended (0: never)',
  ),
  session_timeout: actingKey(
    z.number().int().min(0).default(0),
    'seconds after which an active session is suspended (0: never)',
  ),
  max_concurrent_tasks: actingKey(
    z.number().int().min(1).max(64).default(4),
    'tasks that may run at once in a session',
  ),
  max_engineers: actingKey(z.number().int().min(1).max(64).default(4), 'engineers in a session'),
  task_timeout: actingKey(z.number().int().min(0).default(1800), 'seconds that one task may take'),
});
