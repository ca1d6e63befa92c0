import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, done, edit, teamAt, write } from '../support/team.ts';

const files = {
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
  'sum.test.js': "require('node:test')('adds', () => {});\n",
  'tokens.css': ':root {\n  --color-brand: #3b82f6;\n}\n',
};
const page = (image: string, style: string) =>
  `<!doctype html>\n<html lang="en"><head><title>Shop</title></head><body><main><h1 style="color: ${style}">Shop</h1>${image}</main></body></html>\n`;

test('a designer is done once axe finds nothing in the rendered page and no raw value has a token; a picture is stored', () => {
  const bad = '<img src="a.png">';
  const good = '<img src="a.png" alt="A cup">';
  const team = teamAt({
    files,
    nodes: [{ id: 'page', agent: 'designer', prompt: 'Build the page and preview it' }],
    scripts: {
      'Build the page and preview it': [
        write('shop.html', page(bad, '#3B82F6')),
        done(),
        { expect: 'image-alt', ...edit('shop.html', bad, good) },
        { ...edit('shop.html', '#3B82F6', 'var(--color-brand, #1d4ed8)') },
        call('preview_ui', { path: 'shop.html', width: 640, height: 480 }),
        { expect: 'Picture: ', ...call('check_accessibility', { path: 'shop.html' }) },
        { expect: 'axe finds nothing', ...done('Built the page.') },
      ],
    },
  });
  const { result } = team.start('--yes');
  expect(result).toMatchObject({ nodes: [{ stage: 'done' }] });
  const { steps } = team.ask('get_transcript', { run: result.run, node: 'page' });
  const said = JSON.stringify(steps);
  expect(said).toContain('Not done yet');
  expect(said).toMatch(/image-alt at img/);
  expect(said).toMatch(/#3B82F6 is the token [^"]*color-brand/);
  const [, picture = ''] = /Picture: ([^"\\]+\.png)/.exec(said) ?? [];
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
}, 600_000);
