export { readConfigFile } from './file.ts';
export { type ActingSetting, type LoadedConfig, loadConfig, type Origin } from './load.ts';
export {
  actingKey,
  addingKey,
  type ConfigSection,
  configSection,
  dataKey,
  type KeyClass,
  type SectionKeys,
  type SectionValue,
  userKey,
} from './section.ts';
