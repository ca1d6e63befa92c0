export { readConfigFile } from './file.ts';
export { type LoadedConfig, loadConfig } from './load.ts';
export {
  actingKey,
  addingKey,
  type ConfigSection,
  configSection,
  dataKey,
  type SectionValue,
  userKey,
} from './section.ts';
