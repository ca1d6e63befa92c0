import { z } from 'zod';

export const ecosystems = [
  'npm',
  'pypi',
  'cargo',
  'go',
  'gem',
  'composer',
  'hex',
  'pub',
  'nuget',
  'maven',
] as const;
export type Ecosystem = (typeof ecosystems)[number];

export const dependencyTypes = ['runtime', 'dev', 'peer'] as const;
export type DependencyType = (typeof dependencyTypes)[number];

/** A package that a manifest of the project declares. */
export interface Dependency {
  name: string;
  ecosystem: Ecosystem;
  type: DependencyType;
  /** As written in the manifest. */
  range: string;
  /** From the lock file; missing if there is none or it does not list the package. */
  version?: string;
  /** Path of the manifest, relative to the root. */
  manifest: string;
}

export const dependencyMatch = z.object({
  name: z.string(),
  version: z.string(),
  type: z.enum(dependencyTypes),
  ecosystem: z.enum(ecosystems),
  capabilities: z.array(z.string()),
  usage_examples: z
    .record(z.string(), z.string())
    .describe('imported name → code of this repository, with file:line'),
  manifest: z.string(),
});
export type DependencyMatch = z.infer<typeof dependencyMatch>;
