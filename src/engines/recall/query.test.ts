import { describe, expect, it } from 'vitest';
import { readQuery } from './query.ts';

describe('what kind of question it is', () => {
  const kinds: Array<[string, string]> = [
    ['getUserName', 'identifier'],
    ['parse_headers', 'identifier'],
    ['Client.send', 'identifier'],
    ['std::vector', 'identifier'],
    ['router', 'identifier'],
    ['__init__', 'identifier'],
    ['"too many attempts"', 'exact'],
    ['if (x === null) {', 'exact'],
    ['where is the text "too many attempts" thrown?', 'exact'],
    ['throw new Error("too many attempts")', 'exact'],
    ['return retry(work);', 'exact'],
    ['set("limit", 3)', 'exact'],
    ['Mention `retry` usage', 'words'],
    ['Do not mention limits', 'words'],
    ['let the "json" option of the client win', 'question'],
    ['fix(router): keep [slashes]', 'words'],
    ['src/auth/session.ts', 'path'],
    ['session.ts', 'path'],
    ['rate limiting', 'words'],
    ['cookie parsing bug', 'words'],
    ['where are sessions opened?', 'question'],
    ['how do we retry', 'question'],
    ['requests hang when the proxy closes the socket early', 'question'],
  ];
  for (const [text, kind] of kinds)
    it(`${text} is asked as ${kind}`, () => expect(readQuery(text).kind).toBe(kind));

  it('a name inside a question is still seen as a name', () => {
    expect(readQuery('where is parseCookies called').identifiers).toEqual(['parseCookies']);
  });

  it('a question of nothing but marks has no words and no names', () => {
    expect(readQuery('?!').words).toEqual([]);
  });

  it('an apostrophe does not open a quotation', () => {
    expect(readQuery("why doesn't it work, it's broken").exact).toEqual([]);
  });
});
