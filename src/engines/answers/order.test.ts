import { expect, test } from 'vitest';
import { ordered } from './order.ts';
import type { Weighed } from './sources.ts';

const item = (ref: string, domain: string, level: number, relevance = 0.5): Weighed =>
  ({
    card: { ref, domain, title: ref },
    trust: { level },
    freshness: {},
    facts: { kind: 'entry', text: ref, at: 0 },
    relevance,
    disputed: false,
  }) as unknown as Weighed;
const refs = (items: Weighed[]) => items.map(({ card }) => card.ref);

test('the first relevant code goes before the first doubtful statement, and nothing else moves', () => {
  const doubtful = item('entry:1', 'chronicle', 30);
  const sure = item('entry:2', 'chronicle', 80);
  const code = item('file:a.ts', 'code', 100);
  expect(refs(ordered([sure, doubtful, code], 'RECALL', []))).toEqual(['entry:2', 'file:a.ts', 'entry:1']);
  expect(refs(ordered([doubtful, sure], 'RECALL', []))).toEqual(['entry:1', 'entry:2']);
  expect(refs(ordered([sure, code], 'RECALL', []))).toEqual(['entry:2', 'file:a.ts']);
  expect(refs(ordered([code, doubtful], 'RECALL', []))).toEqual(['file:a.ts', 'entry:1']);
});

test('code that hardly belongs to the question stays behind a doubtful statement', () => {
  const doubtful = item('entry:1', 'chronicle', 30);
  expect(refs(ordered([doubtful, item('file:a.ts', 'code', 100, 0.1)], 'RECALL', []))).toEqual([
    'entry:1',
    'file:a.ts',
  ]);
});

const titled = (ref: string, domain: string, title: string): Weighed => {
  const one = item(ref, domain, 80);
  return { ...one, card: { ...one.card, title } };
};

test('a change that was made twice is shown once; other things may have one title', () => {
  const again = [
    titled('commit:1', 'commits', 'fix the lock'),
    titled('commit:2', 'commits', 'fix the lock'),
    titled('commit:3', 'commits', 'fix the door'),
    titled('entry:1', 'chronicle', 'fix the lock'),
    titled('entry:2', 'chronicle', 'fix the lock'),
  ];
  expect(refs(ordered(again, 'RECALL', []))).toEqual(['commit:1', 'commit:3', 'entry:1', 'entry:2']);
});

test('who asks why gets first what was remembered, or a commit that says more than its subject', () => {
  const code = item('file:a.ts', 'code', 100);
  const [short, long] = ['commit:1', 'commit:2'].map((ref) => titled(ref, 'commits', 'count in cents'));
  const body = 'Sums of floats were off by a cent on long receipts.';
  const told = { ...long, card: { ...long?.card, snippet: `count in cents\n${body}` } } as Weighed;
  const entry = item('entry:1', 'chronicle', 80);
  const found = [code, short as Weighed, told];
  expect(refs(ordered(found, 'RECALL', [], 'why cents?'))).toEqual(['commit:2', 'file:a.ts', 'commit:1']);
  expect(refs(ordered(found, 'RECALL', [], 'where are cents?'))).toEqual([
    'file:a.ts',
    'commit:1',
    'commit:2',
  ]);
  expect(refs(ordered([code, entry], 'RECALL', [], 'Why cents?'))).toEqual(['entry:1', 'file:a.ts']);
});

test('code goes before commits, and before everything where a place is asked for; skills stand only where they are asked for or alone', () => {
  const [commit, skill] = [item('commit:1', 'commits', 80), item('skill:1', 'skills', 80)];
  const [entry, code] = [item('entry:1', 'chronicle', 80), item('file:a.ts', 'code', 100)];
  expect(refs(ordered([commit, skill, entry, code], 'RECALL', []))).toEqual([
    'entry:1',
    'file:a.ts',
    'commit:1',
  ]);
  expect(refs(ordered([skill], 'RECALL', []))).toEqual(['skill:1']);
  expect(refs(ordered([skill, entry], 'RECALL', [], 'which skill is for this'))).toEqual([
    'skill:1',
    'entry:1',
  ]);
  expect(refs(ordered([entry, commit, code], 'LOCATE', []))).toEqual(['file:a.ts', 'entry:1', 'commit:1']);
});
