import { isParsed, languageOf } from '../../../base/syntax/index.ts';
import { isForAgents, splitWords } from '../../../base/text/index.ts';
import { createFileFacts, type DerivedCache } from '../cache.ts';
import type { ProjectFiles } from '../project-files.ts';
import { readComponents, readSingleFileComponent } from './file-components.ts';
import { type Placed, repeatedPatterns } from './patterns.ts';
import { rankComponents } from './rank.ts';
import type { Component, ComponentMatch, ComponentReply, ComponentType } from './record.ts';
import { usageOf } from './usage.ts';

/** Limit of new files per question; the rest follows with the next one, so that the first answer does not take minutes. */
const perQuestion = 3000;
const maxBytes = 200_000;
const aside =
  /(^|\/)(node_modules|vendor|third_party|dist|build|target|coverage|generated|__generated__|fixtures?|testdata|tests?|__tests__|spec|stories|examples?|benchmarks?|bench|e2e|docs?|migrations)\/|[._-](test|spec|stories|bench)\.\w+$|\.(min|d|config)\.\w+$|_test\.go$/;

export interface ComponentRequest {
  need: string;
  type: ComponentType | 'any';
  path: string;
  limit: number;
}

export function createComponentShelf(files: ProjectFiles, cache: DerivedCache) {
  const facts = createFileFacts(cache, 'components 1', readComponents);
  const componentsIn = async (path: string, problems: string[]): Promise<Component[]> => {
    const text = await files.read(path);
    if (text === undefined) return [];
    if (isSingleFile(path)) return [readSingleFileComponent(text, path)];
    return (await facts.of(path, text, problems)) ?? [];
  };
  /** Path → its components, while the file is unchanged. */
  const known = new Map<string, { mark: string; components: Component[] }>();
  const gather = async (below: string, problems: string[]): Promise<Placed[]> => {
    const prefix = below === '' ? '' : `${below}/`;
    const paths = (await files.list()).filter(
      (path) => path.startsWith(prefix) && offers(path) && !aside.test(path) && !isForAgents(path),
    );
    const found: Placed[] = [];
    let read = 0;
    let left = 0;
    for (const path of paths) {
      const stamp = await files.stamp(path);
      if (!stamp || stamp.size > maxBytes) continue;
      let entry = known.get(path);
      if (entry?.mark !== stamp.mark) {
        if (read >= perQuestion) {
          left++;
          continue;
        }
        entry = { mark: stamp.mark, components: await componentsIn(path, problems) };
        known.set(path, entry);
        read++;
      }
      for (const component of entry.components) found.push({ ...component, path });
    }
    facts.flush();
    if (left > 0) problems.push(`${left} files are not read yet; run it again to continue.`);
    return [...found, ...repeatedPatterns(found)];
  };
  return {
    find: async ({ need, type, path, limit }: ComponentRequest): Promise<ComponentReply> => {
      const problems: string[] = [];
      const all = await gather(path, problems);
      const candidates = type === 'any' ? all : all.filter((component) => component.type === type);
      const ranked = rankComponents(need, candidates).slice(0, limit);
      const matches: ComponentMatch[] = [];
      for (const { component, score } of ranked) matches.push(await toMatch(files, component, score));
      const registry = { ui: 0, hook: 0, utility: 0, pattern: 0 };
      for (const component of all) registry[component.type]++;
      return {
        need,
        found: matches.length > 0,
        matches,
        suggestion:
          matches.length === 0 ? 'No existing component found. You may need to create one.' : undefined,
        registry,
        problems,
      };
    },
  };
}

const isSingleFile = (path: string): boolean => /\.(vue|svelte)$/.test(path);

function offers(path: string): boolean {
  const language = languageOf(path);
  return isSingleFile(path) || (language !== undefined && isParsed(language));
}

async function toMatch(files: ProjectFiles, component: Placed, score: number): Promise<ComponentMatch> {
  const { example, source } = await usageOf(files, component);
  const { props, parameters, returns, variants, ...rest } = component;
  return {
    ...rest,
    props: props.length > 0 ? props.slice(0, 30) : undefined,
    parameters: parameters.length > 0 ? parameters : undefined,
    returns: returns || undefined,
    variants: variants.length > 0 ? variants : undefined,
    usage_example: example,
    usage_source: source,
    tags: tagsOf(component),
    score: Math.round(score * 100) / 100,
  };
}

/** Words of the path and the name. */
function tagsOf(component: Placed): string[] {
  const directories = component.path
    .split('/')
    .slice(0, -1)
    .slice(-2)
    .filter((part) => !/^(src|lib|app|packages|components|pkg|internal)$/.test(part));
  return [...new Set([...directories.flatMap(splitWords), ...splitWords(component.name)])].slice(0, 8);
}
