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

/** A package that a manifest of the project asks for. */
export interface Dependency {
  name: string;
  ecosystem: Ecosystem;
  type: DependencyType;
  /** As the manifest writes it. */
  range: string;
  /** As the lock file has it; missing where there is no lock file or it does not name the package. */
  version?: string;
  /** Path of the manifest below the root. */
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
