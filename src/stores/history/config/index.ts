import { z } from 'zod';
import { actingKey, configSection, dataKey, type SectionValue, userKey } from '../../../base/config/index.ts';
import { defaultSettings, type HistorySettings } from '../settings.ts';

const words = (standard: string[]) => z.array(z.string().max(256)).max(100).default(standard);

export const historySection = configSection('history', {
  strip_prefixes: dataKey(words(defaultSettings.stripPrefixes), 'path segments that produce no tag'),
  stop_tags: dataKey(words(defaultSettings.stopTags), 'tags that are never derived from a path'),
  exclude: actingKey(words(defaultSettings.exclude), 'paths that are not indexed, as in a .gitignore'),
  snapshot_frequency: actingKey(
    z.number().int().min(0).default(defaultSettings.snapshotFrequency),
    'take a snapshot after this many new commits; 0 for none',
  ),
  bulk_cap: dataKey(
    z.number().int().min(2).default(defaultSettings.bulkCap),
    'commits with more files than this are ignored for co-change',
  ),
  minimum_support: dataKey(
    z.number().int().min(1).default(defaultSettings.minimumSupport),
    'shared commits from which two files count as changing together',
  ),
  half_life_days: dataKey(
    z.number().min(0).default(0),
    'age in days at which a shared commit counts half; 0 for no decay',
  ),
  db_path: userKey(
    z.string().default(''),
    'path of the history index; empty for history.db in the state directory',
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
