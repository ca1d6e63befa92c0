import { z } from 'zod';
import { actingKey, configSection, userKey } from '../../../base/config/index.ts';
import { globText } from '../../../base/glob/index.ts';

export const codeSection = configSection('code', {
  exclude: actingKey(z.array(globText).max(100).default([]), 'globs of files that are not indexed'),
  max_file_bytes: actingKey(
    z.number().int().min(1000).max(50_000_000).default(1_000_000),
    'files larger than this are not parsed',
  ),
  compiler_megabytes: userKey(
    z.number().int().min(0).max(64_000).default(1500),
    'memory for the compiler that checks links; 0 switches it off',
  ),
  workers: userKey(
    z.number().int().min(0).max(64).default(0),
    'number of parser threads; 0 for one per core',
  ),
});
