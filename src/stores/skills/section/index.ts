// Owns: what config.yaml says about skills. Knows: nothing. Must not know: the store.
// An entrance of its own, because every command reads the configuration and few need the store.
import { z } from 'zod';
import { configSection, userKey } from '../../../base/config/index.ts';

export const skillsSection = configSection('skills', {
  capabilities: userKey(
    z.array(z.string()).optional(),
    'what your agent can do; skills that require more are held back (unset: none is)',
  ),
});
