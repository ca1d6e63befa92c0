import { describe, expect, test } from 'vitest';
import { createSkillEngine, type SkillGate } from './engine.ts';
import type { SkillSource } from './skill.ts';
import { compositeSource } from './sources/composite.ts';
import { memorySource } from './sources/memory.ts';
import { prepareTurn } from './turn.ts';

const local = memorySource([
  { descriptor: { id: 'document/pdf-processing', description: 'Handles PDFs' }, body: 'Use pdftotext.' },
  { descriptor: { id: 'task', description: 'A reserved name' }, body: 'Never by slash.' },
  { descriptor: { id: 'needy', description: 'd', requires_capabilities: ['browser'] }, body: 'b' },
]);
const remote: SkillSource = {
  ...memorySource([{ descriptor: { id: 'net/extract', description: 'From a server' }, body: 'Extract.' }]),
  origin: () => ({ kind: 'http', location: 'https://example.org/api', remote: true }),
};
const source = compositeSource([
  { name: 'project', source: local },
  { name: 'elephant', source: remote },
]);
const engine = createSkillEngine({ source });

describe('per-turn references', () => {
  test('a message that starts with a reference gets the skill in front and loses the reference', async () => {
    const turn = await prepareTurn(engine, {
      text: '/document/pdf-processing extract tables from report.pdf',
    });
    expect(turn.text).toBe('extract tables from report.pdf');
    expect(turn.blocks).toEqual([
      {
        id: 'document/pdf-processing',
        role: 'user',
        content: '<skill id="document/pdf-processing">\nUse pdftotext.\n</skill>',
        source_name: 'project',
      },
    ]);
    expect(turn.events).toEqual([
      {
        type: 'SkillsResolved',
        skills: ['document/pdf-processing'],
        injection_bytes: Buffer.byteLength(turn.blocks[0]!.content),
      },
    ]);
  });

  test('failure semantics: a reference that is not found is an event, and the turn goes on with its text unchanged', async () => {
    expect(await prepareTurn(engine, { text: '/foo/bar do it' })).toMatchObject({
      text: '/foo/bar do it',
      blocks: [],
      events: [{ type: 'SkillResolutionFailed', reference: 'foo/bar', error: "Skill 'foo/bar' not found" }],
    });
  });

  test('a path that exists is a path, not a failed reference', async () => {
    expect(await prepareTurn(engine, { text: '/tmp is full' })).toMatchObject({
      text: '/tmp is full',
      events: [],
    });
  });

  test('commands win over skills of the same name, which are reported and load by id', async () => {
    expect(await prepareTurn(engine, { text: '/task 1 interrupt' })).toMatchObject({
      text: '/task 1 interrupt',
      blocks: [],
      events: [],
    });
    expect((await engine.problems()).map((problem) => [problem.code, problem.id])).toEqual([
      ['reserved', 'task'],
    ]);
    expect((await engine.resolveAndRender(['task']))[0]!.rendered_body).toContain('Never by slash.');
  });

  test('skill_references activate for this message only, each failing by itself; an empty list is none', async () => {
    const turn = await prepareTurn(engine, {
      text: 'hello',
      skill_references: ['no/such', 'document/pdf-processing'],
    });
    expect(turn.text).toBe('hello');
    expect(turn.blocks.map((block) => block.id)).toEqual(['document/pdf-processing']);
    expect(turn.events.map((event) => event.type)).toEqual(['SkillResolutionFailed', 'SkillsResolved']);
    expect((await prepareTurn(engine, { text: 'hello', skill_references: [] })).events).toEqual([]);
  });
});

describe('preload', () => {
  test('failure semantics: a missing skill fails the call, because a program asked for it', async () => {
    await expect(
      prepareTurn(engine, { text: 'x', preload_skills: ['document/pdf-processing', 'no/such'] }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: "Skill 'no/such' not found",
    });
  });

  test('an empty list is none: the inventory alone', async () => {
    const turn = await prepareTurn(engine, { text: 'x', preload_skills: [] });
    expect(turn).toMatchObject({ blocks: [], events: [] });
    expect(turn.inventory).toContain('<available_skills>');
    expect(turn.inventory).not.toContain('active');
  });

  test('local text may be system; text from a network is a user message and names its source', async () => {
    const turn = await prepareTurn(engine, {
      text: 'x',
      preload_skills: ['document/pdf-processing', 'net/extract'],
    });
    expect(turn.blocks.map((block) => [block.id, block.role])).toEqual([
      ['document/pdf-processing', 'system'],
      ['net/extract', 'user'],
    ]);
    expect(turn.blocks[1]!.content).toContain(
      '<skill id="net/extract" source="elephant https://example.org/api">',
    );
    expect(turn.inventory).toContain('<skill id="net/extract" active="true">');
  });
});

describe('what may enter a conversation', () => {
  test('skills turned off: no inventory, no blocks, the text as it was', async () => {
    expect(
      await prepareTurn(undefined, { text: '/document/pdf-processing x', preload_skills: ['a'] }),
    ).toEqual({
      text: '/document/pdf-processing x',
      inventory: '',
      blocks: [],
      events: [],
    });
  });

  test('a skill that needs what the agent lacks is not listed and not loaded; unset, nothing is held back', async () => {
    const gated = createSkillEngine({ source: local, capabilities: ['shell'] });
    expect((await gated.listSkills()).map((skill) => skill.id)).not.toContain('needy');
    expect(await gated.inventorySection()).not.toContain('needy');
    await expect(gated.resolveAndRender(['needy'])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('needs browser'),
    });
    expect(
      await createSkillEngine({ source: local, capabilities: ['browser'] }).resolveAndRender(['needy']),
    ).toHaveLength(1);
    expect(await createSkillEngine({ source: local }).resolveAndRender(['needy'])).toHaveLength(1);
  });

  test('a held-back skill is an event in a message and an error when preloaded', async () => {
    const gate: SkillGate = async () => 'new';
    const held = createSkillEngine({ source, gate });
    expect(await prepareTurn(held, { text: '/net/extract now' })).toMatchObject({
      text: '/net/extract now',
      blocks: [],
      inventory: '',
      events: [
        {
          type: 'SkillResolutionFailed',
          reference: 'net/extract',
          error: expect.stringContaining('is not trusted yet'),
        },
      ],
    });
    await expect(prepareTurn(held, { text: 'x', preload_skills: ['net/extract'] })).rejects.toMatchObject({
      code: 'APPROVAL_REQUIRED',
    });
  });
});
