import { expect, test } from 'vitest';
import { createSkillEngine, embeddedSource } from '../../src/sdk.ts';

const source = embeddedSource();

test('the built-in skills follow the standard to the letter, and none is cut when it is loaded', async () => {
  const skills = await source.list();
  expect(skills.map((skill) => skill.id)).toEqual(
    expect.arrayContaining(['knowledge-keeping', 'reference-researcher', 'skill-creator']),
  );
  expect(await source.problems!()).toEqual([]);
  const engine = createSkillEngine({ source });
  for (const skill of await engine.resolveAndRender(skills.map((one) => one.id)))
    expect(skill, skill.id).toMatchObject({ truncated: false, notes: [] });
  for (const skill of skills) expect(skill).toMatchObject({ scope: 'builtin', name: skill.id });
});

test.each([
  ['collect the documentation of this new framework so we can search it', 'reference-researcher'],
  ['turn these instructions into a SKILL.md that agents find', 'skill-creator'],
  ['remember why we decided against Redis', 'knowledge-keeping'],
])('a request finds its built-in skill: %s', async (request, id) => {
  const [best] = await createSkillEngine({ source }).search(request);
  expect(best?.id).toBe(id);
});

/** What the reference skill must teach, by the words that carry each point. */
test.each([
  ['when to create references', /newer than your training|out of date/],
  ['the order of research', /gh search repos[\s\S]*web_search[\s\S]*web_fetch/],
  ['the whole repository first, then paths', /whole repository by default[\s\S]*`paths`/],
  ['one page is one source', /One web page is one source/],
  ['30, 90 and 0 days', /30 while[\s\S]*90 once[\s\S]*0 for/],
  ['search before creating', /Search first[\s\S]*reference_topic_search/],
  ['when to mark obsolete', /obsolete[\s\S]*deprecated/],
])('reference-researcher teaches %s', async (_point, words) => {
  expect((await source.load('reference-researcher')).body).toMatch(words);
});
