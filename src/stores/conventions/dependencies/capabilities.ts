import { once } from '../../../base/once.ts';
import { table } from '../data.ts';
import type { Ecosystem } from './record.ts';

export interface Capability {
  name: string;
  /** Other ways to ask for the same. */
  words: string;
  /** Best first; the first ones are suggested when nothing fitting is installed. */
  packages: Partial<Record<Ecosystem, string[]>>;
  /** What the platform itself brings. */
  builtin: Partial<Record<Ecosystem, string>>;
}

export interface PackageTables {
  capabilities: Record<string, Pick<Capability, 'words'> & Partial<Capability>>;
  /** Modules that are not named like their package, by ecosystem and package. */
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
