import { table } from '../data.ts';
import type { Component } from './record.ts';

export interface Placed extends Component {
  path: string;
}

export interface ComponentTables {
  synonyms: string[][];
  suffixes: string[];
  prefixes: string[];
}

export const componentTables = table<ComponentTables>('components');

/** Repeated shapes of the code base: three or more of a kind are a convention. */
export function repeatedPatterns(components: Placed[]): Placed[] {
  const { suffixes, prefixes } = componentTables();
  const groups = new Map<string, Placed[]>();
  for (const component of components) {
    if (component.type === 'pattern') continue;
    const suffix = suffixes.find(
      (word) => component.name.endsWith(word) && component.name.length > word.length,
    );
    const prefix = prefixes.find((word) => new RegExp(`^${word}[A-Z_]`).test(component.name));
    for (const shape of [suffix && `*${suffix}`, prefix && `${prefix}*`])
      if (shape) groups.set(shape, [...(groups.get(shape) ?? []), component]);
  }
  return [...groups].flatMap(([shape, members]): Placed[] => {
    const [first] = members;
    if (!first || members.length < 3) return [];
    const names = members.slice(0, 6).map((member) => member.name);
    const description = `${members.length} of this shape: ${names.join(', ')}${members.length > 6 ? ', …' : ''}`;
    return [{ ...first, type: 'pattern', name: shape, description, props: [], variants: [] }];
  });
}
