import { showName } from '../../../src/base/terminal-text.ts';

const plain = /^[\x20-\x7e]*$/;

/** A text as the page shows it: lines and tabs stay, every other character that nobody would see is written out. */
export const showText = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .split(/(\r?\n|\t)/)
        .map((part, at) => (at % 2 === 1 ? part : showName(part)))
        .join('');
