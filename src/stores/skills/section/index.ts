// Owns: what config.yaml says about skills. Knows: nothing. Must not know: the store.
// A separate entry point, because every command reads the configuration and few need the store.
import { z } from 'zod';
import { configSection, userKey } from '../../../base/config/index.ts';

export const skillsSection = configSection('skills', {
  capabilities: userKey(
    z.array(z.string()).optional(),
    'capabilities of your agent; skills that require more are withheld (unset: none are)',
  ),
});
