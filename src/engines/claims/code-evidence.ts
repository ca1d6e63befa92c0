import type { Git } from '../../base/git/index.ts';
import { once, onceFor } from '../../base/once.ts';
import { fileRef } from '../../base/ref.ts';
import type { ProjectFiles } from '../../stores/conventions/index.ts';
import type { CodeEvidence, Declaration, DefinedName, Place } from './evidence.ts';
import { isBesideProject, waysToWrite, writtenName } from './names.ts';
import packageNames from './package-names.json' with { type: 'json' };
import { createRemovals } from './removals.ts';
import toolFiles from './tool-files.json' with { type: 'json' };

export interface EvidenceParts {
  files: ProjectFiles;
  dependencies(): Promise<Array<{ name: string; manifest: string; range: string; version?: string }>>;
  definitions(name: string): Promise<DefinedName[]> | DefinedName[];
  git: Git;
  /** The commit whose past is asked for what was removed. */
  revision?: string;
  /** Milliseconds that a question to the past may take. */
  patienceMs?: number;
}

/** Files that are read to see whether they import a name. */
const mostImports = 20;
/** Files that are read to see whether a word stands in them by itself. */
const mostMentions = 40;

/** The code as evidence: one state of it, read on first use and cached for the following claims. */
export function createCodeEvidence(parts: EvidenceParts): CodeEvidence {
  const { files, git, revision = 'HEAD' } = parts;
  const paths = once(() => files.list());
  const byEnd = once(async () => Map.groupBy(await paths(), (path) => path.slice(path.lastIndexOf('/') + 1)));
  const declared = once(async () => {
    const known = new Map<string, Declaration>();
    const depth = ({ manifest }: { manifest: string }) => manifest.split('/').length;
    // The manifest at the root speaks for the project before those of its parts.
    const all = [...(await parts.dependencies())].sort((a, b) => depth(a) - depth(b));
    for (const { name, manifest, range, version = range } of all)
      for (const written of waysToWrite(name))
        if (!known.has(written) && !isBesideProject(manifest))
          known.set(written, { ref: fileRef(manifest), path: manifest, line: 0, version });
    return known;
  });
  const definitions = onceFor(async (name) => await parts.definitions(name));
  const holding = onceFor(async (text) => files.holding(text.split('\0')));
  const inFile = (path: string): Place => ({ ref: fileRef(path), path, line: 0 });

  return {
    files: async (path) => {
      const clean = path.replace(/^\.?\//, '');
      if (clean.endsWith('/'))
        return (await paths()).filter((each) => `/${each}`.includes(`/${clean}`)).slice(0, 5);
      const candidates = (await byEnd()).get(clean.slice(clean.lastIndexOf('/') + 1)) ?? [];
      return candidates.filter((each) => each === clean || each.endsWith(`/${clean}`));
    },
    definitions,
    dependency: async (name) => {
      const known = await declared();
      const [found] = [writtenName(name), ...(displayed.get(writtenName(name)) ?? [])].filter((each) =>
        known.has(each),
      );
      return found === undefined ? undefined : known.get(found);
    },
    toolFile: async (name) => {
      const own = filesOfTools.get(writtenName(name));
      if (!own) return undefined;
      const all = (await paths()).filter((path) => !isBesideProject(path));
      const [path] = own.flatMap((file) => all.filter((each) => each === file || isInPart(each, file)));
      return { found: path === undefined ? undefined : inFile(path) };
    },
    holds: async (path, word) => isWordIn(word, (await files.read(path)) ?? ''),
    importOf: async (name) => {
      // HTML is a format, not the module html.
      if (!/^[@\w][\w@./-]*$/.test(name) || /^[A-Z]{2,}$/.test(name)) return undefined;
      const lower = name.toLowerCase();
      const bare = lower.replaceAll('-', '_');
      const candidates = (
        await holding([`'${lower}`, `"${lower}`, ...wordsOfImport(bare)].join('\0'))
      ).filter((each) => !isProse(each) && !isBesideProject(each));
      // A module or folder of the project's own with this name is not the package.
      const own = new RegExp(`(?:^|/)(?:${escaped(lower)}|${escaped(bare)})(?:/|\\.\\w+$)`, 'i');
      if (candidates.length === 0 || (await paths()).some((path) => own.test(path))) return undefined;
      for (const path of candidates.slice(0, mostImports))
        if (isImportedIn((await files.read(path)) ?? '', path, lower, bare)) return inFile(path);
      return undefined;
    },
    mention: onceFor(async (name) => {
      const [word = name] = name.split(/[.#]|::/).reverse();
      const found = (await holding(word)).filter((each) => !isProse(each)).slice(0, mostMentions);
      for (const path of found) if (isWordIn(word, (await files.read(path)) ?? '')) return inFile(path);
      return undefined;
    }),
    ...createRemovals(git, revision, parts.patienceMs),
    inherits: async (child, parent) => {
      const found = (await definitions(child)).find(({ signature }) =>
        new RegExp(`\\b${parent}\\b`).test(signature),
      );
      if (found) return found;
      const [path] = await holding([`${parent} for ${child}`, `${child} = ${parent}`].join('\0'));
      return path ? inFile(path) : undefined;
    },
    lineOf: async ({ path, line }) => (await files.read(path))?.split('\n')[line - 1] ?? '',
  };
}

/** What people call a package whose own name is another. */
const displayed = new Map(
  Object.entries(packageNames).map(([name, packages]) => [name, packages.map(writtenName)]),
);

const filesOfTools = new Map(Object.entries(toolFiles));

/** In the folder itself where the tool has one, else in a part of the project. */
const isInPart = (path: string, file: string): boolean =>
  file.endsWith('/') ? path.startsWith(file) : path.endsWith(`/${file}`);

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&');

const wordsOfImport = (bare: string): string[] =>
  /^\w+$/.test(bare)
    ? [`import ${bare}`, `from ${bare}`, `use ${bare}::`, `extern crate ${bare}`, `#include <${bare}`]
    : [];

/** An import of a package by its name in the language of the file; what is bound to a name is something else. */
function isImportedIn(text: string, path: string, name: string, bare: string): boolean {
  if (/\.py[ix]?$/.test(path)) return new RegExp(`^\\s*(?:import|from)\\s+${bare}(?![\\w])`, 'm').test(text);
  if (path.endsWith('.rs')) return new RegExp(`\\b(?:use\\s+${bare}::|extern crate ${bare}\\b)`).test(text);
  if (/\.(?:c|h|cc|cpp|hpp)$/.test(path)) return text.includes(`#include <${name}`);
  return new RegExp(`(?:\\bfrom|\\brequire\\(?|\\bimport\\(?)\\s*['"]${escaped(name)}(?:/[^'"]*)?['"]`).test(
    text,
  );
}

const isWordIn = (word: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${escaped(word)}(?![\\w$])`).test(text);

const isProse = (path: string): boolean => /\.(?:md|mdx|rst|txt|html|svg|lock)$/i.test(path);
