import { z } from 'zod';

/** Where a skill belongs: shipped with the product, kept with a project, or kept by a person. */
export const skillScope = z.enum(['builtin', 'project', 'user']);
export type SkillScope = z.infer<typeof skillScope>;

/** What is known of a skill without its text. The id is its path in its source; nothing maps or translates it. */
export const skillDescriptor = z.object({
  id: z.string(),
  /** The front matter's name; the last segment of the id where it has none. */
  name: z.string(),
  description: z.string(),
  scope: skillScope,
  requires_capabilities: z.array(z.string()).default([]),
  metadata: z.record(z.string(), z.string()).default({}),
  /** The named source it came from; set by the composite, empty outside of one. */
  source_name: z.string().default(''),
});
export type SkillDescriptor = z.infer<typeof skillDescriptor>;

export interface SkillDocument {
  descriptor: SkillDescriptor;
  body: string;
  /** Everything else the front matter says: license, compatibility, allowed-tools, and keys no standard knows. */
  extensions: Record<string, unknown>;
}

export interface SkillFilter {
  /** All skills at or below this collection path, compared at `/` boundaries. */
  collection?: string;
  /** Text within the name or the description, in any case, in all collections. */
  query?: string;
}

export const skillCollection = z.object({
  path: z.string(),
  description: z.string(),
  /** All skills below the path, at any depth. */
  count: z.number(),
});
export type SkillCollection = z.infer<typeof skillCollection>;

/** `error`: not loaded. `warning`: loaded, and something is wrong. `note`: loaded, and worth knowing. */
export const skillProblem = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  code: z.string(),
  source_name: z.string().default(''),
  /** The skill it is about, where there is one. */
  id: z.string().optional(),
  /** File below the source's root, or the address of the source. */
  file: z.string(),
  line: z.number(),
  message: z.string(),
  fix: z.string(),
});
export type SkillProblem = z.infer<typeof skillProblem>;

export const skillResource = z.object({ path: z.string(), bytes: z.number() });
export type SkillResource = z.infer<typeof skillResource>;

/** What kind of place it is and where: shown as the label of remote text and kept with every trust decision. */
export interface SkillOrigin {
  kind: 'filesystem' | 'embedded' | 'memory' | 'http' | 'git' | 'composite';
  location: string;
  /** Text that somebody else can change: fetched over a network. */
  remote: boolean;
  /** The folder below the root of the repository, for text that came with the repository itself. */
  repository?: string | undefined;
  /** The commit that is served, for git. */
  revision?: string;
}

/** Somebody else wrote it and can change it: a person decides about its text. */
export const isForeign = ({ remote, repository }: SkillOrigin): boolean => remote || repository !== undefined;

/** Anything that holds skills. Every method may reach the place it names; none is called before it is needed. */
export interface SkillSource {
  list(filter?: SkillFilter): Promise<SkillDescriptor[]>;
  /** Throws NOT_FOUND for an id it does not have. */
  load(id: string): Promise<SkillDocument>;
  /** Left out: derived from the ids. */
  collections?(): Promise<SkillCollection[]>;
  /** What could not be loaded, or was loaded although odd. */
  problems?(): Promise<SkillProblem[]>;
  resources?(id: string): Promise<SkillResource[]>;
  readResource?(id: string, path: string): Promise<Uint8Array>;
  /** One hash over everything the skill consists of. Left out: over its document. */
  digest?(id: string): Promise<string>;
  origin?(): SkillOrigin;
  /** Looks again at once, whatever a cache says. */
  refresh?(options?: { acceptRewrite?: boolean }): Promise<void>;
}
