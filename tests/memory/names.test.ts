import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { resolveName } from '../../src/operations/resolve.ts';
import { categories, promotionRules, summaryTypes } from '../../src/stores/chronicle/entry.ts';
import { nextState, sessionStates, type Transition, transitions } from '../../src/stores/sessions/session.ts';

/** What the design names. A name that goes here without a home in the product, or the other way round, fails. */
const named = {
  states: ['created', 'active', 'suspended', 'completed', 'failed'],
  transitions: [
    'CREATED → ACTIVE',
    'ACTIVE → SUSPENDED',
    'ACTIVE → COMPLETED',
    'ACTIVE → FAILED',
    'SUSPENDED → ACTIVE',
    'SUSPENDED → COMPLETED',
  ],
  categories:
    'decision insight pattern failure task_state timeline user_voice hypothesis open_thread general librarian_checkpoint guide_checkpoint academic_research_paper architect_workflow inspector_findings tester_summary pipeline_handoff tool_discovery'.split(
      ' ',
    ),
  summaryTypes: 'task_completion decision failure pattern refactoring bug_fix feature'.split(' '),
  filters:
    'categories sources since until search_text limit session_ids exclude_sessions current_only cross_session promoted_only category search summary_type exclude_current'.split(
      ' ',
    ),
  promotionRules: {
    main_session: 'written in the main session',
    session_completed: 'session completes successfully',
    person: 'a person promotes explicitly',
    inspector: 'an inspection approves',
    used: 'used successfully',
  },
  techniques: [
    '1. Scratchpad Memory',
    '4. Mistake Memory',
    '6. User Preference Learning',
    '9. Task Continuity',
  ],
  operations:
    'store query briefing cross_session_query promote_pattern session_summary fact_extraction conflict_resolution archivalist_store_entry archivalist_query_chronicle archivalist_get_briefing archivalist_record_file archivalist_record_pattern archivalist_record_failure store_summary search_history find_patterns find_failures get_session_history get_code_for_history get_decisions scratchpad_write scratchpad_read check_mistakes report_mistake get_preferences set_preference save_checkpoint resume_task get_briefing promote'.split(
      ' ',
    ),
  sessionManager: 'create activate suspend resume complete close fail switch snapshot restore'.split(' '),
};

const operations = await allOperations();
const testTexts = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== 'names.test.ts')
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
const titles = testTexts.flatMap((text) =>
  [...text.matchAll(/(?:describe|test)(?:\.each\([^)]*\))?\(\s*(['"`])(.*?)\1/gs)].map((match) => match[2]!),
);

test('states, categories, types of summaries and rules of promotion are those of the design, no more and no fewer', () => {
  expect([...sessionStates]).toEqual(named.states);
  expect([...categories]).toEqual(named.categories);
  expect([...summaryTypes]).toEqual(named.summaryTypes);
  expect([...promotionRules]).toEqual(Object.keys(named.promotionRules));
});

test('the transitions of sessions are those of the design, and every other one is refused', () => {
  const possible = transitions.flatMap((verb: Transition) =>
    sessionStates.flatMap((state) => {
      try {
        return [
          `${state.toUpperCase()} → ${nextState({ id: 'x', state, kind: 'named' }, verb).toUpperCase()}`,
        ];
      } catch {
        return [];
      }
    }),
  );
  expect(possible.sort()).toEqual([...named.transitions].sort());
});

test('every filter of the design is an input of search_history, and a test carries its name', () => {
  const { input } = operations.find(({ name }) => name === 'search_history')!;
  const tried = testTexts.join('\n');
  for (const filter of named.filters) {
    expect(Object.keys(input.shape), filter).toContain(filter);
    expect(
      tried.includes(`['${filter}',`) || titles.some((title) => title.includes(`filter ${filter} `)),
      filter,
    ).toBe(true);
  }
});

test('every rule of promotion and every technique has a test that carries its name', () => {
  for (const phrase of [...Object.values(named.promotionRules), ...named.techniques])
    expect(
      titles.filter((title) => title.includes(phrase)),
      phrase,
    ).not.toEqual([]);
});

test('every operation that the design names is known, under its name or as an alias, and is called by a test', () => {
  const canonical = (name: string) => resolveName(name, 'first').operation;
  const known = operations.map(({ name }) => name);
  const called = testTexts.join('\n');
  for (const name of [...named.operations, ...named.sessionManager.map((verb) => `${verb}_session`)]) {
    expect(known, name).toContain(canonical(name));
    expect(
      called.includes(`'${canonical(name)}'`) || called.includes(`'${name}'`) || /_session$/.test(name),
      name,
    ).toBe(true);
  }
});
