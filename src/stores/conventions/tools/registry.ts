import { once } from '../../../base/once.ts';
import { table } from '../data.ts';
import type { ToolCategory } from './record.ts';

type Commands = Partial<Record<ToolCategory, string>>;

export interface ToolFacts {
  /** A language of the registry or a family of them; `*` matches every language. */
  family: string;
  /** The bare command for each category; the runner of the project's package manager is added. */
  uses: Commands;
  via?: 'npm' | 'pypi' | 'gem' | 'composer';
  install?: string;
  /** Name of the executable, if it differs from the tool's. */
  program?: string;
  /** The bare command for a single test. */
  one?: string;
}

export interface Registry {
  /** Date of the last review; shown with every answer based on it. */
  date: string;
  /** Candidates by language and category, the recommended one first. */
  languages: Record<string, Record<ToolCategory, string[]>>;
  trade_offs: Record<string, { pros: string[]; cons: string[] }>;
}

export type ToolRows = Record<string, Record<string, Commands & Omit<ToolFacts, 'family' | 'uses'>>>;

export const registry = table<Registry>('registry');

const toolRows = table<ToolRows>('tools');
const tools = once(() => {
  const facts = new Map<string, ToolFacts>();
  for (const [family, rows] of Object.entries(toolRows()))
    for (const [name, { via, install, program, one, ...uses }] of Object.entries(rows))
      facts.set(name, { family, uses, via, install: install ?? (via && name), program, one });
  return facts;
});

export const toolFacts = (name: string): ToolFacts | undefined => tools().get(name);
export const knownTools = (): string[] => [...tools().keys()];
