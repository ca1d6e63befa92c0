/** What `sylk demo` plays: the history of a small project, a plan, and what a scripted model answers to it. Everything else is real. */

interface Commit {
  subject: string;
  body?: string;
  files: Record<string, string>;
}

const cart = (price: string) => `/** @typedef {{ name: string, ${price}: number, count: number }} Line */

/** What all lines cost together. @param {Line[]} lines */
export const total = (lines) => lines.reduce((sum, line) => sum + line.${price} * line.count, 0);
`;

const cartTest = (price: string, value: number) => `import assert from 'node:assert';
import test from 'node:test';
import { total } from '../src/cart.js';

test('a total counts every piece', () => {
  assert.equal(total([{ name: 'tea', ${price}: ${value}, count: 2 }]), ${value * 2});
});
`;

export const history: Commit[] = [
  {
    subject: 'Add a cart that knows its total',
    files: {
      'package.json': `${JSON.stringify({ name: 'till', type: 'module', scripts: { test: 'node --test', types: 'tsc' } }, null, 2)}\n`,
      'tsconfig.json': `${JSON.stringify({ compilerOptions: { checkJs: true, noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] }, include: ['src'] }, null, 2)}\n`,
      '.gitignore': 'node_modules\n',
      'README.md': '# till\n\nA cash register.\n',
      'src/cart.js': cart('cents'),
      'test/cart.test.js': cartTest('cents', 350),
    },
  },
  {
    subject: 'Count in euros',
    body: 'Prices are typed in as euros.',
    files: { 'src/cart.js': cart('euros'), 'test/cart.test.js': cartTest('euros', 3.5) },
  },
  {
    subject: 'Revert "Count in euros"',
    body: 'Three teas at 0.10 came to 0.30000000000000004, and a receipt was off by a cent. Amounts are whole cents.',
    files: { 'src/cart.js': cart('cents'), 'test/cart.test.js': cartTest('cents', 350) },
  },
  {
    subject: 'Write amounts in one place',
    body: 'Cents become text here and nowhere else.',
    files: {
      'src/money.js': `/** An amount as people read it: 350 is "3.50". @param {number} cents */
export const written = (cents) => (cents / 100).toFixed(2);
`,
      'test/money.test.js': `import assert from 'node:assert';
import test from 'node:test';
import { written } from '../src/money.js';

test('an amount has two places', () => assert.equal(written(350), '3.50'));
`,
    },
  },
];

export const plan = `prompt: Discounts, and a receipt that shows them
nodes:
  - id: discount
    agent: engineer
    prompt: Take a discount in percent off an amount
    touches: [src/discount.js, test/discount.test.js]
    compliance_criteria: [Amounts stay whole cents]
  - id: receipt
    agent: engineer
    prompt: Print a receipt with a line for each article
    touches: [src/receipt.js, test/receipt.test.js]
  - id: checkout
    agent: engineer
    prompt: Put discount and receipt together
    depends_on: [discount, receipt]
    touches: [src/checkout.js, test/checkout.test.js]
`;

const call = (name: string, input: object) => ({ name, input });
const read = (path: string) => call('read_file', { path });
const write = (path: string, content: string) => call('write_file', { path, content });
const step = (text: string, ...calls: object[]) => ({ text, calls });
const done = (result: string) => step(result, call('signal_complete', { result, files_modified: [] }));

const testOf = (name: string, imported: string, title: string, expectation: string) =>
  write(
    `test/${name}.test.js`,
    `import assert from 'node:assert';
import test from 'node:test';
import { ${imported} } from '../src/${name}.js';

test('${title}', () => ${expectation});
`,
  );

/** The first engineer is sent back by the type checker, the second by its own test. */
export const script = {
  price: { input: 3, output: 15 },
  conversations: [
    {
      when: '# Task\nTake a discount in percent',
      steps: [
        step('Amounts are whole cents here. I look at the cart first.', read('src/cart.js')),
        step(
          'Now the discount and its test.',
          write(
            'src/discount.js',
            `/** @param {number} cents @param {number} percent @returns {number} */
export const reduced = (cents, percent) => (cents * (1 - percent / 100)).toFixed(0);
`,
          ),
          testOf('discount', 'reduced', 'a tenth less', 'assert.equal(Number(reduced(350, 10)), 315)'),
        ),
        done('A discount can be taken off.'),
        step('The type checker is right: that is text, and an amount is a number.', read('src/discount.js')),
        step(
          'Rounded to whole cents.',
          write(
            'src/discount.js',
            `/** What is left of an amount, in whole cents. @param {number} cents @param {number} percent */
export const reduced = (cents, percent) => Math.round(cents * (1 - percent / 100));
`,
          ),
        ),
        done('A discount leaves whole cents.'),
      ],
    },
    {
      when: '# Task\nPrint a receipt',
      steps: [
        step('How are amounts written here?', read('src/money.js')),
        step(
          'One line for each article.',
          write(
            'src/receipt.js',
            `import { written } from './money.js';

/** @param {import('./cart.js').Line[]} lines */
export const receipt = (lines) => lines.map(({ name, cents }) => \`\${name} \${written(cents)}\`).join('\\n');
`,
          ),
          testOf(
            'receipt',
            'receipt',
            'a line tells what its pieces cost together',
            "assert.equal(receipt([{ name: 'tea', cents: 350, count: 2 }]), 'tea 7.00')",
          ),
        ),
        done('A receipt can be printed.'),
        step('The count is missing in the line.', read('src/receipt.js')),
        step(
          'Each line has the price of all its pieces.',
          write(
            'src/receipt.js',
            `import { written } from './money.js';

/** One line for each article, with the price of all its pieces. @param {import('./cart.js').Line[]} lines */
export const receipt = (lines) =>
  lines.map(({ name, cents, count }) => \`\${name} \${written(cents * count)}\`).join('\\n');
`,
          ),
        ),
        done('Each line tells what its pieces cost.'),
      ],
    },
    {
      when: '# Task\nPut discount and receipt together',
      steps: [
        step('Both are there.', read('src/discount.js'), read('src/receipt.js')),
        step(
          'They meet in one function.',
          write(
            'src/checkout.js',
            `import { total } from './cart.js';
import { reduced } from './discount.js';
import { written } from './money.js';
import { receipt } from './receipt.js';

/** The receipt with what is to be paid. @param {import('./cart.js').Line[]} lines @param {number} percent */
export const checkout = (lines, percent) =>
  \`\${receipt(lines)}\\nto pay \${written(reduced(total(lines), percent))}\`;
`,
          ),
          testOf(
            'checkout',
            'checkout',
            'the discount is taken off the total',
            "assert.equal(checkout([{ name: 'tea', cents: 350, count: 2 }], 10), 'tea 7.00\\nto pay 6.30')",
          ),
        ),
        done('A checkout prints the receipt and what is to be paid.'),
      ],
    },
  ],
};
