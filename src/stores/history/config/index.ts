import { join } from 'node:path';
import { z } from 'zod';
import {
  configSection,
  dataKey,
  readConfigFile,
  type SectionValue,
  userKey,
} from '../../../base/config/index.ts';
import { defaultSettings, type HistorySettings } from '../settings.ts';

const words = (about: string, standard: string[]) => dataKey(z.array(z.string()).default(standard), about);

export const historySection = configSection('history', {
  strip_prefixes: words('path segments that give no tag', defaultSettings.stripPrefixes),
  stop_tags: words('tags that are never made from a path', defaultSettings.stopTags),
  exclude: words('paths that are not indexed, as in a .gitignore', defaultSettings.exclude),
  snapshot_frequency: dataKey(
    z.number().int().min(0).default(defaultSettings.snapshotFrequency),
    'a snapshot after this many new commits; 0 for none',
  ),
  bulk_cap: dataKey(
    z.number().int().min(2).default(defaultSettings.bulkCap),
    'commits with more files than this say nothing about which files change together',
  ),
  minimum_support: dataKey(
    z.number().int().min(1).default(defaultSettings.minimumSupport),
    'shared commits from which two files count as changing together',
  ),
  half_life_days: dataKey(
    z.number().min(0).default(0),
    'age at which a shared commit counts half; 0 for no decay',
  ),
  db_path: userKey(
    z.string().default(''),
    'where the history index is kept; empty for history.db in the state directory',
  ),
});

export function settingsOf(config: SectionValue<typeof historySection.keys>): HistorySettings {
  return {
    stripPrefixes: config.strip_prefixes,
    stopTags: config.stop_tags,
    exclude: config.exclude,
    snapshotFrequency: config.snapshot_frequency,
    bulkCap: config.bulk_cap,
    minimumSupport: config.minimum_support,
    halfLifeDays: config.half_life_days,
  };
}

/** A `.kiste.yaml` in the root says the same things without a section; `.sylk/config.yaml` is stronger. */
export function kisteFile(root: string) {
  const file = readConfigFile(join(root, '.kiste.yaml'), root);
  return file ? [{ path: file.path, section: historySection.name, value: file.value }] : [];
}
