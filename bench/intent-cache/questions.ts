import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheQuestion } from '../../src/engines/answers/index.ts';

export interface NearMiss {
  kind: 'subject' | 'time' | 'session' | 'branch';
  text: string;
}

export interface Group {
  name: string;
  agent: CacheQuestion['agent'];
  intent: CacheQuestion['intent'];
  /** Where the question came from: the design, a commit of a public repository, or written for this. */
  from: string;
  questions: string[];
  nearMisses: NearMiss[];
  /** Looked at while the code was written; the others were not. */
  tuned: boolean;
}

/** The groups of `librarian.txt`, `archivalist.txt` and `academic.txt`. */
export function readGroups(): Group[] {
  const groups: Group[] = [];
  for (const file of ['librarian', 'archivalist', 'academic'])
    for (const line of readFileSync(join(import.meta.dirname, `${file}.txt`), 'utf8').split('\n')) {
      const group = groups.at(-1);
      const rest = line.slice(2);
      if (line === '' || line.startsWith('#')) continue;
      if (line.startsWith('== ')) groups.push(groupOf(rest.trim(), groups.length % 2 === 0));
      else if (line.startsWith('! ')) group!.nearMisses.push({ kind: 'subject', text: rest });
      else if (line.startsWith('~ ')) group!.nearMisses.push({ kind: 'time', text: rest });
      else if (line.startsWith('@ '))
        group!.nearMisses.push({ kind: rest as 'session' | 'branch', text: group!.questions[1]! });
      else group!.questions.push(line);
    }
  return groups;
}

function groupOf(head: string, tuned: boolean): Group {
  const [name, agent, intent, from] = head.split(' ') as [string, Group['agent'], Group['intent'], string];
  return { name, agent, intent, from, questions: [], nearMisses: [], tuned };
}
