import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';
import { nested, type Row, rows } from './third-set-rows.ts';

const aims = ['then: index, search, doctor', 'map', 'tools'];

/** The same number of bytes in lines that mean nothing. */
const plain = (path: string, bytes: number) => (place: Place) => {
  place.write(path, 'value one two three\n'.repeat(Math.ceil(bytes / 20)));
  place.commitAll();
};
/** One file of the given text, against a plain file of the same size. */
const text = (what: string, path: string, make: () => string): Row => [
  what,
  (place) => {
    place.write(path, make());
    place.commitAll();
  },
  { twin: (place) => plain(path, make().length)(place), mustAnswer: true },
];

const parsing: Row[] = [
  text('a million brackets in TypeScript', 'src/deep.ts', () => `export const a = ${'['.repeat(400_000)}`),
  text('balanced brackets in JavaScript', 'src/deep.js', () => `x = ${nested('(', ')', 100_000)}`),
  text('nested calls in Python', 'src/deep.py', () => `x = ${nested('f(', ')', 60_000)}`),
  text('nested blocks in C', 'src/deep.c', () => `int main()${nested('{', '}', 100_000)}`),
  text('nested generics in C++', 'src/deep.cpp', () => `A${nested('<A', '>', 60_000)} x;`),
  text('nested objects in JSON', 'data/deep.json', () => nested('{"a":', '}', 60_000)),
  text('nested lists in Rust', 'src/deep.rs', () => `fn main() { let x = ${nested('vec![', ']', 40_000)}; }`),
  text('nested functions in Ruby', 'src/deep.rb', () => nested('def a;', 'end;', 30_000)),
  text('unclosed strings in Go', 'src/deep.go', () => 'var a = `\n"'.repeat(30_000)),
  text('here-documents that never end', 'src/deep.sh', () => 'cat <<A <<B <<C <<D\n'.repeat(15_000)),
  text('nested templates in JavaScript', 'src/template.js', () => '`${'.repeat(60_000)),
  text('regular expressions that are divisions', 'src/divide.js', () => 'a / b / /c/ / '.repeat(20_000)),
  text('deep indentation', 'src/indent.py', () =>
    Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}if a:`).join('\n'),
  ),
  text(
    'quotations in quotations',
    'docs/deep.md',
    () => `${'>'.repeat(20_000)} a\n${'[('.repeat(40_000)}\n${'*_'.repeat(40_000)}\n`,
  ),
  text('elements in elements', 'docs/deep.html', () => nested('<div>', '</div>', 40_000)),
  text('an else for every line', 'src/chain.ts', () => `if (a) {}${' else if (a) {}'.repeat(20_000)}`),
  text('one line of 4 MB', 'src/line.js', () => `var a=1;${'a=a+1;'.repeat(650_000)}`),
];

/** Lines that a pattern would read again from every place. */
const patterns: Row[] = (
  [
    ['password after password', 'password='.repeat(40_000)],
    ['a password without an end', `password=${'a'.repeat(400_000)}`],
    ['blanks after a password', `password${' '.repeat(300_000)}=`],
    ['addresses without a host', 'a://a:'.repeat(60_000)],
    ['colons', `x://${':'.repeat(300_000)}@`],
    ['keys that begin and never end', '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(12_000)],
    ['tokens of three parts', 'eyJhbGciOiJIUzI1NiJ9.'.repeat(15_000)],
    ['access keys', 'AKIA'.repeat(80_000)],
    ['flags of curl', `curl ${'-u a:'.repeat(60_000)}`],
    ['sentences about a token', 'the token for of to on in '.repeat(12_000)],
    ['cookies', `Cookie: ${'a=b; '.repeat(60_000)}`],
    ['seed words', `mnemonic: ${'abandon '.repeat(40_000)}`],
    ['escapes', '\\n%0A'.repeat(60_000)],
    ['hashes and dots', `${'a'.repeat(39)}.`.repeat(8000)],
    ['quotes and equals signs', `secret${'"=\''.repeat(100_000)}`],
  ] as const
).map(([what, line]) => text(what, 'src/settings.txt', () => `${line}\n`));

/** Text that is dear to read. */
export const thirdSetTextCases: StrangerCase[] = [
  ...rows('parsing', aims, parsing),
  ...rows('patterns', aims, patterns),
];
