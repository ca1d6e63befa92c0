import { z } from 'zod';
import { configSection, userKey } from '../../base/config/index.ts';

export const referencesSection = configSection('references', {
  root: userKey(
    z.string().default(''),
    'directory of the topics; relative to the repository (default: references in your own Sylk directory)',
  ),
  max_files: userKey(z.number().int().positive().default(20_000), 'maximum number of files of a topic'),
  max_megabytes: userKey(z.number().positive().default(500), 'maximum size of a topic'),
  max_file_kilobytes: userKey(z.number().positive().default(1024), 'larger files are skipped'),
  fetch_minutes: userKey(z.number().positive().default(15), 'time limit for fetching a topic'),
});

/** Limits of one fetch, in bytes and milliseconds. */
export interface FetchBudget {
  maxFiles: number;
  maxBytes: number;
  maxFileBytes: number;
  timeoutMs: number;
}
