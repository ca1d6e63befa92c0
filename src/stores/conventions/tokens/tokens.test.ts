import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import { colorDistance, readColor } from './color.ts';

const tokensOf = (files: Record<string, string>, category = 'all') =>
  conventionsWith(files).conventions.tokens.all({ category, limit: 500 });

const css = `:root {
  --color-primary: #3B82F6; /* brand */
  --color-primary-hover: #2563EB;
  --color-link: var(--color-primary);
  --spacing-md: 16px;
  --radius-lg: 0.5rem;
  --shadow-md: 0 4px 6px rgba(0, 0, 0, 0.1);
  --font-size-base: 1rem;
  --line-height-base: 1.5;
  --font-family-body: 'Inter', sans-serif;
}
.dark { --color-primary: #60A5FA; }
.button { color: var(--color-primary); padding: var(--spacing-md); }
`;

test('Design Token Awareness: CSS variables by category, with typography as one record, themes, patterns and sources', async () => {
  const system = await tokensOf({ 'src/theme.css': css });
  expect(system).toMatchObject({
    colors: { primary: '#3B82F6', 'primary-hover': '#2563EB', link: '#3B82F6' },
    spacing: { md: '16px' },
    radii: { lg: '0.5rem' },
    shadows: { md: '0 4px 6px rgba(0, 0, 0, 0.1)' },
    typography: {
      base: { font_size: '1rem', line_height: '1.5' },
      body: { font_family: "'Inter', sans-serif" },
    },
    themes: { dark: { primary: '#60A5FA' } },
    sources: ['src/theme.css'],
  });
  expect(system.component_patterns.button).toMatchObject({
    tokens: ['primary', 'md'],
    example: '.button { color: var(--color-primary); padding: var(--spacing-md); }',
  });
});

test('get_design_tokens: one category at a time, by either spelling', async () => {
  const { conventions } = conventionsWith({ 'a.css': css });
  const colors = await conventions.tokens.all({ category: 'color', limit: 100 });
  expect(Object.keys(colors)).not.toContain('spacing');
  expect(colors.colors).toMatchObject({ primary: '#3B82F6' });
  expect((await conventions.tokens.all({ category: 'border', limit: 100 })).radii).toEqual({ lg: '0.5rem' });
});

test('find_design_token: a value is found however it is written, and in every theme', async () => {
  const { conventions } = conventionsWith({ 'a.css': css });
  const find = async (value: string) =>
    (await conventions.tokens.byValue(value)).matches.map((match) => `${match.category}.${match.name}`);
  expect(await find('#3B82F6')).toEqual(['colors.primary', 'colors.link']);
  expect(await find('rgb(59, 130, 246)')).toEqual(['colors.primary', 'colors.link']);
  expect(await find('#3b82f6ff')).toEqual(['colors.primary', 'colors.link']);
  expect(await find('8px')).toEqual(['radii.lg']);
  expect((await conventions.tokens.byValue('#60a5fa')).matches[0]).toMatchObject({
    name: 'primary',
    theme: 'dark',
    source: 'a.css:12',
  });
});

test('find_design_token: no match suggests the nearest tokens', async () => {
  const { conventions } = conventionsWith({ 'a.css': css });
  const near = await conventions.tokens.byValue('#3C83F7');
  expect(near).toMatchObject({
    found: false,
    suggestion: 'No matching token found. Consider adding one or using a similar existing token.',
  });
  expect(near.similar[0]).toMatchObject({ name: 'primary' });
  expect((await conventions.tokens.byValue('15px')).similar.map((match) => match.name)).toContain('md');
  expect((await conventions.tokens.byValue('#ff00ff')).similar).toEqual([]);
});

test('Tailwind 3: the theme is read as text and never run; what would have to be run is left out', async () => {
  const { repository, conventions } = conventionsWith({
    'tailwind.config.js': `const plugin = require('tailwindcss/plugin');
require('fs').writeFileSync('canary', '');
const brand = { DEFAULT: '#111827', light: '#374151' };
/** @type {import('tailwindcss').Config} */
module.exports = {
  content: ['./src/**/*.tsx'],
  theme: {
    extend: {
      colors: { brand, accent: 'hsl(var(--accent))', computed: lighten('#fff'), 'on-brand': brand.light, extra: '#abcdef' },
      spacing: { gutter: '1.25rem' },
      borderRadius: { card: '12px' },
      fontSize: { body: ['15px', { lineHeight: '22px' }] },
      fontFamily: { sans: ['Inter', 'sans-serif'] },
      boxShadow: { card: '0 1px 2px #0000000d' },
    },
  },
  plugins: [plugin(({ addBase }) => addBase({}))],
};
`,
  });
  const system = await conventions.tokens.all({ category: 'all', limit: 100 });
  expect(system).toMatchObject({
    colors: {
      brand: '#111827',
      'brand-light': '#374151',
      accent: 'hsl(var(--accent))',
      'on-brand': '#374151',
      extra: '#abcdef',
    },
    spacing: { gutter: '1.25rem' },
    radii: { card: '12px' },
    typography: { body: { font_size: '15px' }, sans: { font_family: 'Inter, sans-serif' } },
    shadows: { card: '0 1px 2px #0000000d' },
  });
  expect(system.colors).not.toHaveProperty('computed');
  expect((await conventions.tokens.byValue('12px')).matches[0]).toMatchObject({ reference: 'rounded-card' });
  expect(existsSync(join(repository.path, 'canary'))).toBe(false);
});

test('Tailwind 4: @theme names the classes it makes', async () => {
  const { conventions } = conventionsWith({
    'app.css':
      "@import 'tailwindcss';\n@theme {\n  --color-mint-500: oklch(0.72 0.11 178);\n  --radius-pill: 999px;\n}\n",
  });
  const match = (await conventions.tokens.byValue('999px')).matches[0];
  expect(match).toMatchObject({
    category: 'radii',
    name: 'pill',
    reference: 'rounded-pill; var(--radius-pill)',
  });
  expect((await conventions.tokens.all({ category: 'colors', limit: 10 })).colors).toEqual({
    'mint-500': 'oklch(0.72 0.11 178)',
  });
});

test('design-token JSON: the DTCG form with aliases, circles, objects and inherited types; and Style Dictionary', async () => {
  const system = await tokensOf({
    'tokens/base.tokens.json': JSON.stringify({
      color: {
        $type: 'color',
        blue: { $value: '#3b82f6' },
        primary: { $value: '{color.blue}' },
        loop: { $value: '{color.loop}' },
        space: { $value: { colorSpace: 'srgb', components: [1, 0, 0], hex: '#ff0000' } },
      },
      spacing: { md: { $type: 'dimension', $value: { value: 16, unit: 'px' } } },
      heading: {
        $type: 'typography',
        $value: { fontFamily: 'Inter', fontSize: '24px', fontWeight: 700, lineHeight: 1.2 },
      },
    }),
    'old-tokens.json': JSON.stringify({ color: { danger: { value: '#ef4444' } } }),
  });
  expect(system.colors).toMatchObject({
    blue: '#3b82f6',
    primary: '#3b82f6',
    space: '#ff0000',
    danger: '#ef4444',
    loop: '{color.loop}',
  });
  expect(system.spacing).toEqual({ md: '16px' });
  expect(system.typography).toEqual({
    heading: { font_family: 'Inter', font_size: '24px', font_weight: '700', line_height: '1.2' },
  });
});

test('SCSS variables and theme files of the code are tokens too, and a broken file loses only itself', async () => {
  const system = await tokensOf({
    'a.scss': '$brand: #0f766e !default;\n$gap-md: 12px;\n.x { color: $brand; }\n',
    'src/theme.ts':
      "export const colors = { ink: '#0b0f19', paper: { base: '#fff' } } as const;\nexport const radii = { sm: 4 };\n",
    'broken.css': '.a { --color-x: ;;; } } } {{{',
    'tokens.json': '{ "a": ',
  });
  expect(system.colors).toMatchObject({ brand: '#0f766e', ink: '#0b0f19', 'paper-base': '#fff' });
  expect(system.spacing).toMatchObject({ md: '12px' });
  expect(system.radii).toMatchObject({ sm: '4px' });
});

test('a changed stylesheet is read again', async () => {
  const { repository, conventions } = conventionsWith({ 'a.css': ':root { --color-a: #111111; }\n' });
  await conventions.tokens.byValue('#111111');
  repository.write('a.css', ':root { --color-a: #222222; }\n');
  expect(await conventions.tokens.byValue('#111111')).toMatchObject({ found: false });
  expect(await conventions.tokens.byValue('#222222')).toMatchObject({ found: true });
});

test('colours of all notations compare: hexadecimal, rgb, hsl, oklch, names', () => {
  const same: Array<[string, string]> = [
    ['#fff', 'white'],
    ['rgb(255 0 0 / 50%)', '#ff000080'],
    ['hsl(217, 91%, 60%)', 'hsl(217 91% 60%)'],
    ['217 91% 60%', 'hsl(217 91% 60%)'],
    ['oklch(1 0 0)', '#ffffff'],
    ['oklch(0.6279 0.2577 29.23)', '#ff0000'],
  ];
  for (const [one, other] of same)
    expect(colorDistance(readColor(one)!, readColor(other)!), `${one} ${other}`).toBeLessThan(1.5);
  expect(readColor('url(#x)')).toBeUndefined();
});
