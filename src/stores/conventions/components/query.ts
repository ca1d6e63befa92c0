import { similarity } from '../../../base/embedding/index.ts';
import type { TextEmbedder } from '../../../base/search/index.ts';
import { isParsed, languageOf } from '../../../base/syntax/index.ts';
import { isForAgents, splitWords } from '../../../base/text/index.ts';
import { createFileFacts, type DerivedCache } from '../cache.ts';
import type { ProjectFiles } from '../project-files.ts';
import { readComponents, readDeclared, readSingleFileComponent } from './file-components.ts';
import { type Placed, repeatedPatterns } from './patterns.ts';
import { type Ranked, rankComponents } from './rank.ts';
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

/** Below this nearness a description and a need have nothing to do with each other. */
const leastNearness = 0.33;
/** Of each type: a hook may meet a need as well as a function does. */
const mostClosest = 2;

/** `meaning` compares descriptions with a need that no words meet; without it words are all. */
export function createComponentShelf(
  files: ProjectFiles,
  cache: DerivedCache,
  meaning?: () => Promise<TextEmbedder | undefined>,
) {
  const facts = createFileFacts(cache, 'components 2', readComponents);
  const declared = createFileFacts(cache, 'declared 1', readDeclared);
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
    await describeByDeclarations(found, problems);
    if (left > 0) problems.push(`${left} files are not read yet; run it again to continue.`);
    return [...found, ...repeatedPatterns(found)];
  };
  /** JavaScript is often described in the declarations beside it. */
  const describeByDeclarations = async (found: Placed[], problems: string[]): Promise<void> => {
    const bare = found.filter(({ description, path }) => description === '' && /\.[cm]?jsx?$/.test(path));
    if (bare.length === 0) return;
    const wanted = new Set(bare.map(({ name }) => name));
    const told = new Map<string, string>();
    for (const path of (await files.list()).filter((each) => /\.d\.[cm]?ts$/.test(each))) {
      const text = (await files.read(path)) ?? '';
      for (const { name, doc } of (await declared.of(path, text.slice(0, maxBytes), problems)) ?? [])
        if (wanted.has(name))
          for (const key of [`${folderOf(path)} ${name}`, name]) if (!told.has(key)) told.set(key, doc);
    }
    declared.flush();
    for (const component of bare)
      component.description =
        told.get(`${folderOf(component.path)} ${component.name}`) ?? told.get(component.name) ?? '';
  };
  /** What says of itself something near the need, nearest first. */
  const closestTo = async (need: string, candidates: Placed[]): Promise<Ranked[]> => {
    const described = candidates.filter(({ description }) => description !== '');
    const embedder = described.length > 0 ? await meaning?.() : undefined;
    if (!embedder) return [];
    const [asked, ...vectors] = await embedder.embed([
      need,
      ...described.map(({ description }) => description.replace(/(?:^|\s)@\w+[\s\S]*$/, '')),
    ]);
    const near = described
      .map((component, at) => ({ component, score: similarity(asked!, vectors[at]!) }))
      .filter(({ score }) => score >= leastNearness)
      .toSorted((left, right) => right.score - left.score);
    return [...Map.groupBy(near, ({ component }) => component.type).values()]
      .flatMap((ofType) => ofType.slice(0, mostClosest))
      .toSorted((left, right) => right.score - left.score);
  };
  return {
    find: async ({ need, type, path, limit }: ComponentRequest): Promise<ComponentReply> => {
      const problems: string[] = [];
      const all = await gather(path, problems);
      const candidates = type === 'any' ? all : all.filter((component) => component.type === type);
      const ranked = rankComponents(need, candidates).slice(0, limit);
      const asMatches = (list: Ranked[]) =>
        Promise.all(list.map(({ component, score }) => toMatch(files, component, score)));
      const matches = await asMatches(ranked);
      const closest = matches.length > 0 ? [] : await asMatches(await closestTo(need, candidates));
      const registry = { ui: 0, hook: 0, utility: 0, pattern: 0 };
      for (const component of all) registry[component.type]++;
      return {
        need,
        found: matches.length > 0,
        matches,
        closest: closest.length > 0 ? closest : undefined,
        suggestion: matches.length > 0 ? undefined : nothing(closest.length > 0),
        registry,
        problems,
      };
    },
  };
}

const nothing = (isClose: boolean): string =>
  isClose
    ? 'No component has the words of this need. These are the closest by what they say they do.'
    : 'No existing component found. You may need to create one.';

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

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
