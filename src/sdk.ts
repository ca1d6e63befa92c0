/**
 * The public API: skills from any source, as one namespace, rendered for a conversation. A source configured
 * here is used whatever configuration files say.
 */
export {
  type CompositeSource,
  compositeSource,
  createSkillEngine,
  deriveCollections,
  embeddedSource,
  filesystemSource,
  type HttpGet,
  loadSkillsConfig,
  memorySource,
  type PreparedTurn,
  prepareTurn,
  type Resolution,
  type ResolveWorld,
  resolveRepositories,
  respondToSkills,
  type SkillDescriptor,
  type SkillDocument,
  type SkillEngine,
  type SkillSource,
  type SkillsConfig,
} from './stores/skills/index.ts';
export {
  type GitSourceOptions,
  gitSource,
  type HttpSourceOptions,
  httpSource,
} from './stores/skills/sources/index.ts';
