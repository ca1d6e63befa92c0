import { once } from '../../../base/once.ts';
import { table } from '../data.ts';
import type { Ecosystem } from './record.ts';

export interface Capability {
  name: string;
  /** Synonyms. */
  words: string;
  /** Best first; the first ones are suggested when no fitting package is installed. */
  packages: Partial<Record<Ecosystem, string[]>>;
  /** What the platform itself provides. */
  builtin: Partial<Record<Ecosystem, string>>;
}

export interface PackageTables {
  capabilities: Record<string, Pick<Capability, 'words'> & Partial<Capability>>;
  /** Modules with a different name than their package, by ecosystem and package. */
  module_names: Record<'pypi' | 'composer', Record<string, string>>;
}

export const packageTables = table<PackageTables>('packages');

export const capabilities = once((): Capability[] =>
  Object.entries(packageTables().capabilities).map(([name, row]) => ({
    packages: {},
    builtin: {},
    ...row,
    name,
  })),
);
