import { describe, expect, it } from 'vitest';
import { readLookUp } from './look-up-forms.ts';

describe('a question that can be looked up is told from one that has to be searched for', () => {
  it.each([
    ['what calls search_path', { kind: 'uses', name: 'search_path' }],
    ['who uses `BinaryDetection`?', { kind: 'uses', name: 'BinaryDetection' }],
    ['which functions call Searcher::search_path()', { kind: 'uses', name: 'Searcher::search_path' }],
    ['where is the function login called from?', { kind: 'uses', name: 'login' }],
    ['where do we use createLog', { kind: 'uses', name: 'createLog' }],
    ['list all callers of app.close()', { kind: 'uses', name: 'app.close' }],
    ['what breaks if I change Sink', { kind: 'impact', name: 'Sink' }],
    ['What would be affected if we rename the class Session?', { kind: 'impact', name: 'Session' }],
    ['what depends on openSqlite', { kind: 'impact', name: 'openSqlite' }],
    ['can I safely delete parse_size', { kind: 'impact', name: 'parse_size' }],
    ['impact of changing allow', { kind: 'impact', name: 'allow' }],
    ['how are tests run here', { kind: 'tools', category: 'test_framework' }],
    ['how do I run the unit tests?', { kind: 'tools', category: 'test_framework' }],
    ['which linter do we use', { kind: 'tools', category: 'linter' }],
    ['how should I format the code', { kind: 'tools', category: 'formatter' }],
    ['what type checker is used?', { kind: 'tools', category: 'type_checker' }],
    ['is there already a helper to strip a BOM?', { kind: 'existing', need: 'strip a BOM' }],
    ['who knows most about the globset crate', { kind: 'people', subject: 'globset crate' }],
    ['who changed the printer most?', { kind: 'people', subject: 'printer' }],
    ['who should I ask about src/auth', { kind: 'people', subject: 'src/auth' }],
    ['who knows src/auth/login.ts', { kind: 'people', subject: 'src/auth/login.ts' }],
    ['what changed lately in hooks', { kind: 'changes', subject: 'hooks' }],
    ['recent changes in .github/workflows', { kind: 'changes', subject: '.github/workflows' }],
    ['what is new in src/auth/', { kind: 'changes', subject: 'src/auth' }],
    ['why was "Add a cache" reverted?', { kind: 'reverts', subject: 'Add a cache' }],
    ['why did we revert the rename', { kind: 'reverts', subject: 'rename' }],
    ['where is Portal', { kind: 'definition', name: 'Portal' }],
    ['where is the function jv_array defined', { kind: 'definition', name: 'jv_array' }],
    ['find acceptParams', { kind: 'definition', name: 'acceptParams' }],
    ['what is the value of RAF_TIMEOUT', { kind: 'value', name: 'RAF_TIMEOUT' }],
    ['what is the default of max_bytes?', { kind: 'value', name: 'max_bytes' }],
    ['what is MAX_DEPTH set to', { kind: 'value', name: 'MAX_DEPTH' }],
    ['do we have a date function that parses weeks', { kind: 'existing', need: 'date parses weeks' }],
  ])('%s', (text, question) => {
    expect(readLookUp(text)).toEqual(question);
  });

  it.each([
    'what uses the cache when a session ends',
    'why do we use redis',
    'how do I run the server',
    'what changes when a user logs in',
    'where is the rate limiter',
    'what calls for a rewrite of the parser',
    'what tests are flaky',
    'is there a reason for the lock',
    'format the answer as a table',
  ])('%s: searched for', (text) => {
    expect(readLookUp(text)).toBeUndefined();
  });
});
