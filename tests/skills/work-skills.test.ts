import { expect, test } from 'vitest';
import { createSkillEngine, embeddedSource } from '../../src/sdk.ts';

const source = embeddedSource();

test.each([
  [
    'work-discovery',
    'fetch the sections and read Context Files',
    /`get_work` with `sections: true`[\s\S]*Context Files/,
  ],
  ['work-discovery', 'query atoms for those paths', /`check_areas`/],
  ['work-discovery', 'surface knowledge beside the task', /molecule and atom knowledge/],
  ['work-planning', 'search for atoms of the work area', /`list_areas` with type `atom`/],
  [
    'work-planning',
    'use knowledge in plan and context files',
    /\*Implementation Plan\*[\s\S]*\*Context Files\*/,
  ],
  [
    'work-planning',
    'create molecules and atoms without coverage',
    /Create molecules and atoms for areas that have none/,
  ],
  ['work-planning', 'flag unmatchedPaths', /Report `unmatchedPaths`/],
  [
    'work-planning',
    'what belongs into knowledge',
    /How|how the files work together[\s\S]*Molecule: what holds for all atoms/,
  ],
  ['work-execution', 'identify which files were touched', /1\. List the files you touched/],
  ['work-execution', 'check which atoms match', /2\. Ask which atoms match them/],
  ['work-execution', 'update knowledge if the area changed', /3\. Update an atom's knowledge/],
  ['work-execution', 'update paths if files moved', /4\. Update an atom's `paths`/],
  ['work-execution', 'create atoms for new areas', /5\. Create an atom for a new area/],
  ['work-execution', 'append changelog entries', /6\. `record_area_change`/],
])('%s teaches to %s', async (id, _step, words) => {
  expect((await source.load(id)).body).toMatch(words);
});

test.each([
  ['what should I work on next', 'work-discovery'],
  ['plan this feature: break it down into tasks', 'work-planning'],
  ['carry out the claimed task and finish it', 'work-execution'],
])('a request finds its built-in skill: %s', async (request, id) => {
  const found = await createSkillEngine({ source }).search(request);
  expect(found.slice(0, 3).map((skill) => skill.id)).toContain(id);
});
