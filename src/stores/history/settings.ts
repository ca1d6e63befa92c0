/** What can be set about history, in the form the store uses. Names and defaults stand in config.ts. */
export interface HistorySettings {
  stripPrefixes: string[];
  stopTags: string[];
  exclude: string[];
  snapshotFrequency: number;
  bulkCap: number;
  minimumSupport: number;
  /** 0 for none. */
  halfLifeDays: number;
}

export const defaultSettings: HistorySettings = {
  stripPrefixes: ['src', 'lib', 'components', 'app', 'pages'],
  stopTags: [
    'index',
    'utils',
    'helpers',
    'types',
    '__tests__',
    'test',
    'tests',
    'cache',
    'build',
    'coverage',
    '.turbo',
  ],
  exclude: ['node_modules/**', 'dist/**', '*.lock'],
  snapshotFrequency: 500,
  bulkCap: 30,
  minimumSupport: 1,
  halfLifeDays: 0,
};
