import { z } from 'zod';

/** The scope of a skill: shipped with the product, part of a project, or a person's own. */
export const skillScope = z.enum(['builtin', 'project', 'user']);
export type SkillScope = z.infer<typeof skillScope>;

/** A skill without its text. The id is its path in its source; nothing maps or translates it. */
export const skillDescriptor = z.object({
  id: z.string(),
  /** The front matter's name; the last segment of the id if it has none. */
  name: z.string(),
  description: z.string(),
  scope: skillScope,
  requires_capabilities: z.array(z.string()).default([]),
  metadata: z.record(z.string(), z.string()).default({}),
  /** The named source it came from; set by the composite, otherwise empty. */
  source_name: z.string().default(''),
});
export type SkillDescriptor = z.infer<typeof skillDescriptor>;

export interface SkillDocument {
  descriptor: SkillDescriptor;
  body: string;
  /** All other front matter: license, compatibility, allowed-tools, and unknown keys. */
  extensions: Record<string, unknown>;
}

export interface SkillFilter {
  /** All skills at or below this collection path, compared at `/` boundaries. */
  collection?: string;
  /** Text within the name or the description, case-insensitively, in all collections. */
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
  /** File relative to the source's root, or the URL of the source. */
  file: z.string(),
  line: z.number(),
  message: z.string(),
  fix: z.string(),
});
export type SkillProblem = z.infer<typeof skillProblem>;

export const skillResource = z.object({ path: z.string(), bytes: z.number() });
export type SkillResource = z.infer<typeof skillResource>;

/** The kind of place and its location: shown as the label of remote text and stored with every trust decision. */
export interface SkillOrigin {
  kind: 'filesystem' | 'embedded' | 'memory' | 'http' | 'git' | 'composite';
  location: string;
  /** Text that others can change: fetched over a network. */
  remote: boolean;
  /** The folder relative to the root of the repository, for text of the repository itself. */
  repository?: string | undefined;
  /** The served commit, for git. */
  revision?: string;
}

/** Written by others, who can change it: a person decides about its text. */
export const isForeign = ({ remote, repository }: SkillOrigin): boolean => remote || repository !== undefined;

/** Anything that holds skills. Every method may connect to its place; none is called before it is needed. */
export interface SkillSource {
  list(filter?: SkillFilter): Promise<SkillDescriptor[]>;
  /** Throws NOT_FOUND for an id it does not have. */
  load(id: string): Promise<SkillDocument>;
  /** When omitted: derived from the ids. */
  collections?(): Promise<SkillCollection[]>;
  /** Skills that could not be loaded, or were loaded although odd. */
  problems?(): Promise<SkillProblem[]>;
  resources?(id: string): Promise<SkillResource[]>;
  readResource?(id: string, path: string): Promise<Uint8Array>;
  /** One hash over everything the skill consists of. When omitted: over its document. */
  digest?(id: string): Promise<string>;
  origin?(): SkillOrigin;
  /** Refreshes at once, whatever a cache says. */
  refresh?(options?: { acceptRewrite?: boolean }): Promise<void>;
}
