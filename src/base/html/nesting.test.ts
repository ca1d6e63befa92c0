import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import type { Element } from './dom.ts';
import { htmlToMarkdown } from './index.ts';
import { nestsDeeperThan } from './nesting.ts';

const hostile: Record<string, string> = {
  'plain nesting': '<div>',
  'closing tags inside of attributes': '<div title="</div>">',
  'closing tags inside of comments': '<div><!-- </div> -->',
  'closing tags inside of scripts': '<div><script>"</div>"</script>',
  'closing tags of others': '<div></span>',
  'elements that close each other only when adjacent': '<li><rt>',
  'slashes that close nothing': '<div/>',
  'slashes where HTML stands in a drawing': '<svg><foreignObject><div/>',
};

for (const [name, part] of Object.entries(hostile))
  test(`a page of 30,000 times ${name} is refused by name without building a tree`, () => {
    const html = part.repeat(30_000);
    expect(nestsDeeperThan(html, 1000)).toBe(true);
    expect(() => htmlToMarkdown(html, 'https://example.org/')).toThrowError(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED', data: { reason: 'too_complex' } }),
    );
  });

test('many siblings are not depth: paragraphs, items, cells and drawings that leave out their ends', () => {
  for (const part of [
    '<p>a',
    '<li>a',
    '<tr><td>a<td>b',
    '<dt>a<dd>b',
    '<br>',
    '<svg><path d=""/></svg>',
    '<b>a</b>',
  ])
    expect(nestsDeeperThan(`<div>${part.repeat(5000)}</div>`, 10)).toBe(false);
});

test('the quick look sees the depth that the tree has, on random tags', () => {
  const seed = 7;
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  const names = [
    'div',
    'p',
    'li',
    'ul',
    'td',
    'tr',
    'table',
    'b',
    'svg',
    'path',
    'dd',
    'dt',
    'script',
    'br',
    'option',
  ];
  const pieces = () => {
    const name = names[random(names.length)]!;
    return [`<${name}>`, `</${name}>`, `<${name} a="<b>" c='>'>`, `<${name}/>`, `<!-- <${name}> -->`, 'text'][
      random(6)
    ]!;
  };
  for (let round = 0; round < 300; round++) {
    const html = `<html><body>${Array.from({ length: 40 }, pieces).join('')}</body></html>`;
    const depth = depthOf(parseHTML(html).document.documentElement as unknown as Element);
    const seen = Array.from({ length: 60 }, (_, limit) => limit).find(
      (limit) => !nestsDeeperThan(html, limit),
    );
    expect({ seed, round, html, off: seen! - depth }).toEqual({ seed, round, html, off: 0 });
  }
});

const depthOf = (element: Element): number => 1 + Math.max(0, ...[...element.children].map(depthOf));
