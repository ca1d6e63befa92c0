import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RoutingCase } from './cases.ts';

/**
 * Questions to the three who know, written for the intent caches by somebody who had not seen the router. One half of the
 * groups was looked at while rules were written, by the hash of the group's name; this is the other half.
 */
export function readStrangers(): RoutingCase[] {
  return ['librarian', 'archivalist', 'academic'].flatMap((agent) => {
    const file = join(import.meta.dirname, '..', 'intent-cache', `${agent}.txt`);
    const cases: RoutingCase[] = [];
    let group = { name: '', target: '', intent: '' };
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [mark, name = '', target = '', intent = ''] = line.split(' ');
      if (mark === '==') group = { name, target, intent };
      else if (line !== '' && !/^[#!~@]/.test(line) && isJudging(group.name))
        cases.push({ ...group, verb: 'recall', source: 'stranger', text: line });
    }
    return cases;
  });
}

const isJudging = (name: string): boolean => createHash('sha256').update(name).digest()[0]! % 2 === 1;
