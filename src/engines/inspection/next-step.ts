import { basename, dirname } from 'node:path';
import type { Reading } from '../../base/reports/index.ts';
import { type DiscoveredTool, packageFolderOf } from '../../stores/conventions/index.ts';
import { findSetup } from './setup.ts';
import type { Environment } from './trees.ts';

/** Why a tool that the project names can't be run here, and what to type next. */
export function missingReason(
  { name: tool, words, directory, evidence, install_cmd }: DiscoveredTool,
  { root, bring }: Environment,
): string {
  // A script of the project is known by the program that it starts.
  const name = /^test (script|task)$/.test(tool) ? (words[0] ?? tool) : tool;
  const named = /^[^:\s]+(?=:)/.exec(evidence[0] ?? '')?.[0] ?? evidence[0];
  const because = named ? `${name} is named in ${named}` : `${name} is used by this project`;
  const { via, folder } = packageFolderOf(name);
  if (!folder)
    return `${because}, but it is not on PATH. Next: ${install_cmd ?? `install ${name}, then run sylk check again`}`;
  const isThere = bring.some(
    (path) =>
      basename(path) === folder && (dirname(path) === '.' || `${directory}/`.startsWith(`${dirname(path)}/`)),
  );
  const setup = findSetup(root).find(({ manager }) => manager === via || manager === undefined)?.command;
  // What the project declares comes with its set-up; what only a script or a pipeline calls does not.
  const isDeclared =
    /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|composer\.json)$/.test(
      named ?? '',
    );
  const where = isThere ? `it is not in ${folder}` : `${folder} is missing`;
  return `${because}, but ${where}. Next: ${(isThere && !isDeclared ? install_cmd : setup) ?? install_cmd ?? setup ?? `install ${name}`}`;
}

type Failure = Extract<Reading, { kind: 'failure' }>;

/** Why a tool judged nothing, and what to do about it. */
export function problemOf(
  { cause, message }: Failure,
  { words, directory }: { words: string[]; directory: string },
  { root }: Environment,
): string {
  const byHand = `${directory === '' ? '' : `cd ${directory} && `}${words.join(' ')}`;
  const setup = findSetup(root)
    .map(({ command }) => command)
    .join('; ');
  const next: Partial<Record<Failure['cause'], string>> = {
    timed_out: 'give it more time: sylk check --minutes 30',
    out_of_memory: `see how much it takes by hand: ${byHand}`,
    ...(setup === '' ? {} : { missing: `install what it needs: ${setup}` }),
  };
  return `${message.replace(/[.\s]*$/, '')}. Next: ${next[cause] ?? `run it by hand to see why: ${byHand}`}`;
}
