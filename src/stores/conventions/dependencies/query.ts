import { z } from 'zod';
import { searchWords } from '../../../base/text/index.ts';
import { directoryOf, inDirectory, upwards } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import { type Capability, capabilities } from './capabilities.ts';
import { isManifest, readDependencies } from './ingest.ts';
import {
  type Dependency,
  type DependencyMatch,
  dependencyMatch,
  type Ecosystem,
  ecosystems,
} from './record.ts';
import { readJson, textOf } from './structured-text.ts';
import { usageExamples } from './usage.ts';

export const dependencyReply = z.object({
  need: z.string(),
  already_available: z.boolean(),
  packages: z.array(dependencyMatch),
  builtin: z
    .array(z.object({ ecosystem: z.enum(ecosystems), name: z.string() }))
    .describe('provided by the platform itself'),
  suggestions: z.array(z.object({ ecosystem: z.enum(ecosystems), name: z.string(), capability: z.string() })),
  manifests: z.array(z.string()).describe('the files that were read'),
});
export type DependencyReply = z.infer<typeof dependencyReply>;

interface DependencyRequest {
  need: string;
  path: string;
  limit: number;
}

interface Scored {
  dependency: Dependency;
  score: number;
  capabilities: string[];
}

export function createDependencyShelf(files: ProjectFiles) {
  return {
    /** Every package that a manifest asks for, once for each manifest. */
    declared: async (): Promise<Dependency[]> => {
      const paths = await files.list();
      return readDependencies(files, paths, manifestsFor(paths, ''));
    },
    check: async ({ need, path, limit }: DependencyRequest): Promise<DependencyReply> => {
      const paths = await files.list();
      const manifests = manifestsFor(paths, path);
      const dependencies = merged(await readDependencies(files, paths, manifests));
      const matching = matchCapabilities(need);
      const scored: Scored[] = [];
      for (const dependency of dependencies) {
        const known = capabilities().filter((capability) => provides(capability, dependency));
        const score = Math.max(
          ...known.map((capability) => 3 * (matching.get(capability) ?? 0)),
          known.length > 0 ? 0 : 2 * overlap(need, await describe(files, dependency)),
          1.5 * overlap(need, dependency.name),
        );
        if (score >= threshold)
          scored.push({ dependency, score, capabilities: known.map((capability) => capability.name) });
      }
      scored.sort((a, b) => b.score - a.score || order(a, b));
      const top = scored.slice(0, limit);
      const packages: DependencyMatch[] = [];
      for (const { dependency, capabilities: names } of top)
        packages.push(await toMatch(files, dependency, names));
      const own = [...new Set(manifests.length > 0 ? dependencies.map((entry) => entry.ecosystem) : [])];
      return {
        need,
        already_available: packages.length > 0,
        packages,
        builtin: builtins(matching, own),
        suggestions: packages.length > 0 ? [] : suggestions(matching, own, limit),
        manifests,
      };
    },
  };
}

/** Below this a shared word is coincidence. */
const threshold = 1.05;

/** Manifests of the given directory and its parents; at the root, of the whole project. */
function manifestsFor(paths: string[], path: string): string[] {
  const directory = paths.includes(path) ? directoryOf(path) : path;
  const chain = new Set(upwards(directory));
  const all = paths.filter(isManifest);
  const near = all.filter(
    (manifest) => chain.has(directoryOf(manifest)) || (directory === '' && manifest.split('/').length <= 4),
  );
  return (near.length > 0 ? near : all).slice(0, 200);
}

/** One entry per package: a runtime dependency wins over a development one. */
function merged(dependencies: Dependency[]): Dependency[] {
  const rank = { runtime: 0, peer: 1, dev: 2 };
  const best = new Map<string, Dependency>();
  for (const dependency of dependencies) {
    const key = `${dependency.ecosystem}:${dependency.name}`;
    const known = best.get(key);
    if (!known || rank[dependency.type] < rank[known.type] || (!known.version && dependency.version))
      best.set(key, { ...known, ...dependency });
  }
  return [...best.values()];
}

/** How well each capability matches a need, from 0 to 1: its name counts most. */
function matchCapabilities(need: string): Map<Capability, number> {
  const scores = new Map<Capability, number>();
  const wanted = new Set(searchWords(need));
  if (wanted.size === 0) return scores;
  for (const capability of capabilities()) {
    const name = new Set(searchWords(capability.name));
    const words = new Set([...name, ...searchWords(capability.words)]);
    const covered = [...wanted].filter((word) => words.has(word)).length / wanted.size;
    const named = [...name].filter((word) => wanted.has(word)).length / name.size;
    const score = 0.6 * covered + 0.4 * named;
    if (score >= 0.4) scores.set(capability, score);
  }
  const best = Math.max(0, ...scores.values());
  for (const [capability, score] of scores) if (score < best * 0.6) scores.delete(capability);
  return scores;
}

const provides = (capability: Capability, dependency: Dependency): boolean =>
  capability.packages[dependency.ecosystem]?.includes(dependency.name) ?? false;

/** Share of the words of a need in a text; one common word alone is not enough for a long need. */
function overlap(need: string, text: string): number {
  const wanted = [...new Set(searchWords(need))];
  if (wanted.length === 0) return 0;
  const words = new Set(searchWords(text));
  return wanted.filter((word) => words.has(word)).length / wanted.length;
}

/** The installed package's own description, if it is in the working tree. */
async function describe(files: ProjectFiles, dependency: Dependency): Promise<string> {
  if (dependency.ecosystem !== 'npm') return dependency.name;
  for (const directory of upwards(directoryOf(dependency.manifest))) {
    const path = inDirectory(directory, `node_modules/${dependency.name}/package.json`);
    if (!files.exists(path)) continue;
    const manifest = readJson(await files.read(path));
    const keywords = Array.isArray(manifest.keywords)
      ? manifest.keywords.filter((word) => typeof word === 'string')
      : [];
    return [dependency.name, textOf(manifest.description) ?? '', ...keywords].join(' ');
  }
  return dependency.name;
}

function order(a: Scored, b: Scored): number {
  const place = ({ dependency, capabilities: names }: Scored) =>
    capabilities()
      .find((capability) => capability.name === names[0])
      ?.packages[dependency.ecosystem]?.indexOf(dependency.name) ?? 99;
  return place(a) - place(b) || (a.dependency.name < b.dependency.name ? -1 : 1);
}

async function toMatch(
  files: ProjectFiles,
  dependency: Dependency,
  names: string[],
): Promise<DependencyMatch> {
  return {
    name: dependency.name,
    version: dependency.version ?? dependency.range,
    type: dependency.type,
    ecosystem: dependency.ecosystem,
    capabilities: names.length > 0 ? names : [await describe(files, dependency)],
    usage_examples: await usageExamples(files, dependency),
    manifest: dependency.manifest,
  };
}

/** What the best capabilities offer for the ecosystems of the project, each once. */
function offered<Offer extends { ecosystem: Ecosystem; name: string }>(
  matching: Map<Capability, number>,
  own: Ecosystem[],
  offersOf: (capability: Capability, ecosystem: Ecosystem) => Offer[],
): Offer[] {
  const found = [...matching]
    .sort((a, b) => b[1] - a[1])
    .flatMap(([capability]) => own.flatMap((ecosystem) => offersOf(capability, ecosystem)));
  return [...new Map(found.map((offer) => [`${offer.ecosystem} ${offer.name}`, offer])).values()];
}

const builtins = (matching: Map<Capability, number>, own: Ecosystem[]): DependencyReply['builtin'] =>
  offered(matching, own, ({ builtin }, ecosystem) => {
    const name = builtin[ecosystem];
    return name ? [{ ecosystem, name }] : [];
  }).slice(0, 4);

const suggestions = (
  matching: Map<Capability, number>,
  own: Ecosystem[],
  limit: number,
): DependencyReply['suggestions'] =>
  offered(matching, own, ({ packages, name: capability }, ecosystem) =>
    (packages[ecosystem] ?? []).slice(0, 3).map((name) => ({ ecosystem, name, capability })),
  ).slice(0, limit);
