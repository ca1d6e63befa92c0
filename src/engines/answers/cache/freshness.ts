import { dirname } from 'node:path/posix';
import type { Clock } from '../../../base/clock.ts';
import { fileRef } from '../../../base/ref.ts';
import type { Answers, KeptAnswer } from '../../../stores/answers/index.ts';
import type { CurrentState } from './current-state.ts';
import { type CacheQuestion, type Strategy, strategyOf, versionNames } from './strategies.ts';

type State = 'good' | 'expired' | 'changed' | 'not here';

/** Whether a kept answer may be given again, and what it rests on when it is kept. */
export function createFreshness({
  answers,
  current,
  clock,
}: {
  answers: Answers;
  current: CurrentState;
  clock: Clock;
}) {
  const versionsOf = async (question: CacheQuestion, names: Strategy['versions']) =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await current.version(name, question.viewer)] as const),
      ),
    );

  const state = async (kept: KeptAnswer, strategy: Strategy, question: CacheQuestion): Promise<State> => {
    const minutes = kept.complete ? strategy.ttl : (strategy.unfinishedTtl ?? strategy.ttl);
    if (minutes !== null && clock.now() - kept.made_at > minutes * 60_000) return 'expired';
    if (!sameFiles(kept)) return 'changed';
    if (strategy.places && kept.versions['places'] !== current.places(kept.subject)) return 'changed';
    const cited = await current.refs(Object.keys(kept.refs));
    if (Object.entries(kept.refs).some(([ref, mark]) => (cited.get(ref) ?? '') !== mark)) return 'changed';
    const names = versionNames.filter((name) => kept.versions[name] !== undefined);
    const now = await versionsOf(question, names);
    if (names.some((name) => kept.versions[name] !== now[name])) return 'changed';
    const head = kept.versions['head'];
    return !head || head === (await current.head()) || (await current.reaches(head)) ? 'good' : 'not here';
  };

  /** Cited files and directories are what they were. */
  const sameFiles = ({ files, directories }: KeptAnswer): boolean => {
    const content = current.files(Object.keys(files));
    if (Object.entries(files).some(([path, hash]) => content.get(path) !== hash)) return false;
    return Object.entries(directories).every(([path, names]) => current.directory(path) === names);
  };

  return {
    /** What is old or rests on something else now goes; what only does not hold in this working tree stays for others. */
    check: async (kept: KeptAnswer, question: CacheQuestion): Promise<State> => {
      const strategy = strategyOf(question.agent, kept.intent);
      if (!strategy) return 'not here';
      const found = await state(kept, strategy, question);
      if (found === 'expired') answers.drop([kept.id], 'expired');
      if (found === 'changed' && kept.overlay === current.overlay()) answers.drop([kept.id], 'invalidations');
      return found;
    },
    /** All states at one moment, to see whether something moved while an answer was made. */
    moment: async (question: CacheQuestion, strategy: Strategy): Promise<string> =>
      JSON.stringify([
        current.generation(),
        current.overlay(),
        await current.head(),
        await versionsOf(question, strategy.versions),
      ]),
    /** Undefined where a cited file is not there any more. */
    restsOn: async (question: CacheQuestion, strategy: Strategy, files: string[], refs: string[]) => {
      const content = current.files(files);
      if (files.some((path) => !content.has(path))) return undefined;
      const all = [...new Set([...files.map((path) => fileRef(path)), ...refs])];
      const cited = await current.refs(all);
      const directories = strategy.directories ? [...new Set(files.map((path) => dirname(path)))] : [];
      const versions: Record<string, string> = await versionsOf(question, [
        ...strategy.versions,
        ...(cites(refs, 'entry') ? (['visibility'] as const) : []),
        ...(cites(refs, 'topic') ? (['shelf'] as const) : []),
        ...(cites(refs, 'task') ? (['results'] as const) : []),
      ]);
      if (strategy.places) versions['places'] = current.places(question.subject);
      if (cites(refs, 'commit')) versions['head'] = await current.head();
      return {
        files: Object.fromEntries(content),
        directories: Object.fromEntries(directories.map((path) => [path, current.directory(path)])),
        refs: Object.fromEntries(all.map((ref) => [ref, cited.get(ref) ?? ''])),
        versions,
      };
    },
    /** Told by the watcher: what cites one of these files, or a directory that they came into or went from. */
    dropChanged: (paths: string[]): number => {
      const suspects = paths.flatMap((path) => [
        ...answers.from(fileRef(path)),
        ...answers.from(`directory:${dirname(path)}`),
      ]);
      const fallen = suspects.filter((kept) => kept.overlay === current.overlay() && !sameFiles(kept));
      return answers.drop([...new Set(fallen.map((kept) => kept.id))], 'invalidations');
    },
  };
}

const cites = (refs: string[], kind: string): boolean => refs.some((ref) => ref.startsWith(`${kind}:`));
