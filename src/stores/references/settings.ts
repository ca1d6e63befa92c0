import { z } from 'zod';
import { configSection, userKey } from '../../base/config/index.ts';

export const referencesSection = configSection('references', {
  root: userKey(
    z.string().default(''),
    'directory of the topics; relative to the repository (default: references in your own Sylk directory)',
  ),
  max_files: userKey(z.number().int().positive().default(20_000), 'files a topic may hold'),
  max_megabytes: userKey(z.number().positive().default(500), 'size a topic may have'),
  max_file_kilobytes: userKey(z.number().positive().default(1024), 'larger files are left out'),
  fetch_minutes: userKey(z.number().positive().default(15), 'time that fetching a topic may take'),
});

/** Limits of one fetch, in bytes and milliseconds. */
export interface FetchBudget {
  maxFiles: number;
  maxBytes: number;
  maxFileBytes: number;
  timeoutMs: number;
}
