import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

test('a question that starts with /skill-ref brings the skill, and the rest is asked', async () => {
  const app = openApp({ directory: fixtureRepository().path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const ask = async (question: string) => {
    const outcome = await runOperation(app, {
      name: 'ask',
      input: { question },
      caller: { kind: 'person', name: 'ada' },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as {
      skills?: Array<{ id: string; content: string }>;
      notes: string[];
      answer: string;
    };
  };
  const { skills, answer } = await ask('/work-planning where is login defined');
  expect(skills).toMatchObject([{ id: 'work-planning', content: expect.stringContaining('work-planning') }]);
  expect(answer).toContain('src/auth/session.ts');
  const unknown = await ask('/no-such-skill where is login defined');
  expect(unknown.skills).toBeUndefined();
  expect(unknown.notes.join()).toContain("Skill 'no-such-skill' not found");
});
