import { expect, test } from 'vitest';
import { conventionsOf, conventionsWith } from '../../../../tests/support/conventions.ts';
import { testRepository } from '../../../../tests/support/repository.ts';
import { createStaticEmbedder } from '../../../base/embedding/index.ts';
import type { ComponentType } from './record.ts';

const files = {
  'src/components/modals/ConfirmModal.tsx': `interface Props {
  title: string;
  message: string;
  onConfirm: () => void;
  onCancel?: () => void;
  confirmText?: string;
  variant?: 'danger' | 'warning' | 'info';
}

/** Reusable confirmation dialog with customizable actions. */
export function ConfirmModal({ title, message, onConfirm, onCancel, confirmText = 'Confirm', variant = 'warning' }: Props) {
  return <div role="dialog">{title}{message}<button onClick={onConfirm}>{confirmText}</button></div>;
}
`,
  'src/pages/item.tsx': `import { ConfirmModal } from '../components/modals/ConfirmModal';
export function ItemPage() {
  return (
    <ConfirmModal
      title="Delete Item?"
      message="This cannot be undone."
      onConfirm={() => remove(1 > 0)}
      variant="danger"
    />
  );
}
`,
  'src/hooks/use-auth.ts': `/** The signed-in user. */
export function useAuth(required: boolean) {
  return { user, signOut };
}
`,
  'src/lib/dates.ts': `/** Formats a date for people. */
export function formatDate(at: Date, locale = 'en'): string {
  return at.toLocaleDateString(locale);
}
`,
  'src/app.ts': "import { formatDate } from './lib/dates';\nconst shown = formatDate(new Date());\n",
  'src/stores/a.ts':
    'export function createUserStore() {}\nexport function createItemStore() {}\nexport function createOrderStore() {}\n',
  'src/lib/dates.test.ts': 'export function formatDateForTest() {}\n',
};

const find = (need: string, type: ComponentType | 'any' = 'any', more = {}) =>
  conventionsWith({ ...files, ...more }).conventions.components.find({ need, type, path: '', limit: 5 });

test('Component Registry: a component with path, description, props with types and defaults, variants and a real usage example', async () => {
  const { found, matches } = await find('confirmation dialog', 'ui');
  expect(found).toBe(true);
  expect(matches).toHaveLength(1);
  expect(matches[0]).toMatchObject({
    name: 'ConfirmModal',
    type: 'ui',
    path: 'src/components/modals/ConfirmModal.tsx',
    description: 'Reusable confirmation dialog with customizable actions.',
    variants: ['danger', 'warning', 'info'],
    usage_source: 'src/pages/item.tsx:4',
    tags: ['modals', 'confirm', 'modal'],
  });
  expect(matches[0]!.props).toEqual([
    { name: 'title', type: 'string', required: true },
    { name: 'message', type: 'string', required: true },
    { name: 'onConfirm', type: '() => void', required: true },
    { name: 'onCancel', type: '() => void', required: false },
    { name: 'confirmText', type: 'string', required: false, default: 'Confirm' },
    { name: 'variant', type: "'danger' | 'warning' | 'info'", required: false, default: 'warning' },
  ]);
  expect(matches[0]!.usage_example).toBe(
    '<ConfirmModal\n  title="Delete Item?"\n  message="This cannot be undone."\n  onConfirm={() => remove(1 > 0)}\n  variant="danger"\n/>',
  );
});

test('Component Registry: a hook with its parameters and what it returns', async () => {
  const { matches } = await find('auth hook', 'hook');
  expect(matches[0]).toMatchObject({
    name: 'useAuth',
    description: 'The signed-in user.',
    parameters: [{ name: 'required', type: 'boolean' }],
    returns: '{ user, signOut }',
    usage_example: 'useAuth(required)',
    usage_source: 'from its signature',
  });
});

test('Component Registry: a utility with its signature and a line that uses it; tests offer nothing', async () => {
  const { matches } = await find('date formatting', 'utility');
  expect(matches.map((match) => match.name)).toEqual(['formatDate']);
  expect(matches[0]).toMatchObject({
    signature: "function formatDate(at: Date, locale = 'en'): string",
    usage_example: 'const shown = formatDate(new Date());',
    usage_source: 'src/app.ts:2',
  });
});

test('Component Registry: three of one shape are a pattern', async () => {
  const { matches } = await find('store', 'pattern');
  expect(matches.map((match) => match.name)).toContain('*Store');
  expect(matches[0]!.description).toBe('3 of this shape: createUserStore, createItemStore, createOrderStore');
});

test('Component Registry: nothing fitting says so, with a suggestion', async () => {
  expect(await find('drag and drop board')).toMatchObject({
    found: false,
    matches: [],
    suggestion: 'No existing component found. You may need to create one.',
    registry: { ui: 2, hook: 1, utility: 4, pattern: 2 },
  });
});

test('Component Registry: other words for the same thing are understood', async () => {
  expect((await find('popup to confirm')).matches[0]?.name).toBe('ConfirmModal');
});

test('Vue and Svelte files are components; forwardRef, memo, classes and JavaScript are too', async () => {
  const { conventions } = conventionsWith({
    'a/PriceTag.vue':
      '<script setup lang="ts">\nwithDefaults(defineProps<{ amount: number; currency?: string }>(), { currency: "EUR" })\n</script>\n<template><b>{{ amount }}</b></template>\n',
    'a/Badge.svelte':
      '<script lang="ts">\n  let { label, tone = "info" }: { label: string; tone?: string } = $props();\n</script>\n',
    'a/old-list.jsx': 'export class OldList extends React.Component { render() { return <ul />; } }\n',
    'a/field.tsx':
      'type FieldProps = { label: string };\nexport const TextField = React.forwardRef<HTMLInputElement, FieldProps>(({ label }, ref) => <input ref={ref} />);\n',
    'a/plain.js': 'export function Plain({ title, wide = false }) { return <h1>{title}</h1>; }\n',
  });
  const props = async (need: string) => {
    const { matches } = await conventions.components.find({ need, type: 'ui', path: '', limit: 1 });
    return `${matches[0]?.name}: ${matches[0]?.props?.map((prop) => `${prop.name}${prop.required ? '' : '?'}${prop.default ? `=${prop.default}` : ''}`).join(' ') ?? ''}`;
  };
  expect(await props('price tag')).toBe('PriceTag: amount currency?=EUR');
  expect(await props('badge')).toBe('Badge: label tone?=info');
  expect(await props('old list')).toBe('OldList: ');
  expect(await props('text field')).toBe('TextField: label');
  expect(await props('plain')).toBe('Plain: title wide?=false');
});

test('utilities of every language are found, and a saved file is seen at once', async () => {
  const { repository, conventions } = conventionsWith({
    'shop/money.py':
      'def format_price(amount: int, currency: str = "EUR") -> str:\n    """Formats a price."""\n    return ""\n',
    'net/retry.go':
      'package net\n\n// RetryRequest tries again.\nfunc RetryRequest(times int) error { return nil }\n',
  });
  const names = async (need: string) =>
    (await conventions.components.find({ need, type: 'utility', path: '', limit: 3 })).matches.map(
      (match) => match.name,
    );
  expect(await names('format price')).toEqual(['format_price']);
  expect(await names('retry request')).toEqual(['RetryRequest']);
  repository.write('shop/tax.py', 'def add_tax(amount: int) -> int:\n    return amount\n');
  expect(await names('add tax')).toEqual(['add_tax']);
});

test('a function is described by the declarations beside it, and the closest in meaning are listed apart', async () => {
  const repository = testRepository();
  repository.commit('start', {
    'hooks/index.js':
      '/** @type {(initial: unknown) => unknown} */\nexport function useRef(initial) {}\nexport function useId() {}\n',
    'hooks/index.d.ts':
      '/** Returns a mutable ref object that persists for the full lifetime of the component. */\nexport function useRef<T>(initial: T): { current: T };\nexport function useId(): string;\n',
  });
  const quick = createStaticEmbedder();
  const { components } = conventionsOf(repository, { meaning: async () => quick });
  const asked = { type: 'any', path: '', limit: 5 } as const;
  const named = await components.find({ ...asked, need: 'mutable ref object' });
  expect(named.matches[0]).toMatchObject({
    name: 'useRef',
    description: expect.stringContaining('persists'),
  });
  const meant = await components.find({ ...asked, need: 'keep something as long as a component lives' });
  expect(meant).toMatchObject({ found: false, matches: [], closest: [{ name: 'useRef' }] });
  const other = await components.find({ ...asked, need: 'send an HTTP request' });
  expect(other).toMatchObject({ found: false, matches: [], closest: undefined });
});
