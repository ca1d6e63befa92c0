/** History settings in the form the store uses. config/ has their names and meanings. */
export type HistorySettings = typeof defaultSettings;
export type FolderTagRules = Pick<HistorySettings, 'stripPrefixes' | 'stopTags'>;

export const defaultSettings = {
  stripPrefixes: ['src', 'lib', 'components', 'app', 'pages'],
  stopTags: 'index utils helpers types __tests__ test tests cache build coverage .turbo'.split(' '),
  exclude: ['node_modules/**', 'dist/**', '*.lock'],
  snapshotFrequency: 500,
  bulkCap: 30,
  minimumSupport: 1,
  /** 0 for none. */
  halfLifeDays: 0,
};
