import { type Element, type PageDocument, textOf } from './dom.ts';

/** Brings what generators do differently into one form, before it is written as Markdown. */
export function normalise(root: Element, document: PageDocument, base: string): void {
  unwrapCodeTables(root);
  markCode(root);
  writeMath(root);
  resolveAddresses(root, base);
  titleSignatures(root, document);
  for (const image of [...root.querySelectorAll('img')])
    if (!image.getAttribute('alt')?.trim()) image.remove();
}

/** A table whose only purpose is to put line numbers beside code becomes the code. */
function unwrapCodeTables(root: Element): void {
  for (const table of [...root.querySelectorAll('table')]) {
    const blocks = [...table.querySelectorAll('pre')];
    const [code] = blocks;
    const cells = [...table.querySelectorAll('td, th')].filter((cell) => textOf(cell) !== '');
    if (code && blocks.length === 1 && cells.length === 1) table.replaceWith(code);
  }
}

const languageClass =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?|sourceCode)[-:\s]\s*([A-Za-z0-9+#_]+)/;
const notLanguages = new Set(
  'text none default plaintext plain notranslate source wrapper code container'.split(' '),
);

function markCode(root: Element): void {
  for (const block of root.querySelectorAll('pre')) {
    const language = languageOf(block);
    for (const line of block.querySelectorAll('br')) line.replaceWith('\n');
    // Some generators give each line an element of its own and no line break.
    const lines = [...block.querySelectorAll('.token-line, .code-line, .ec-line')];
    const text =
      lines.length > 1
        ? lines.map((line) => (line.textContent ?? '').replace(/\n$/, '')).join('\n')
        : block.textContent;
    block.setAttribute('data-code', text ?? '');
    block.setAttribute('data-code-language', language);
  }
}

function languageOf(block: Element): string {
  const inner = block.querySelector('code');
  const around = [
    inner,
    block,
    block.parentElement,
    block.parentElement?.parentElement,
    block.parentElement?.parentElement?.parentElement,
  ];
  for (const element of around) {
    const given = element?.getAttribute('data-lang') ?? element?.getAttribute('data-language');
    if (given) return clean(given);
    const named = languageClass.exec(element?.className ?? '')?.[1];
    if (named && !notLanguages.has(named.toLowerCase())) return clean(named);
    if (element?.querySelectorAll('pre').length !== 1 && element !== inner) break;
  }
  if (block.matches('.rust, .rust *')) return 'rust';
  const plain = /^(?:sourceCode |src src-|code )([a-z0-9+#]+)$/.exec(
    `${inner?.className ?? ''}` || block.className,
  )?.[1];
  return plain && !notLanguages.has(plain) ? plain : '';
}

const clean = (language: string): string =>
  language
    .toLowerCase()
    .replace(/[^a-z0-9+#_-]/g, '')
    .slice(0, 20);

function writeMath(root: Element): void {
  for (const math of [...root.querySelectorAll('.katex, mjx-container, math')]) {
    const source =
      math.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
      math.getAttribute('alttext');
    if (source) math.replaceWith(`$${source.trim()}$`);
  }
}

function resolveAddresses(root: Element, base: string): void {
  for (const [selector, attribute] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const element of [...root.querySelectorAll(selector)]) {
      const given = (element.getAttribute(attribute) ?? '').trim();
      const url = URL.parse(given, base);
      if (given.startsWith('#')) continue;
      if (url && /^(?:https?|mailto):$/.test(url.protocol)) element.setAttribute(attribute, url.href);
      else if (attribute === 'src') element.remove();
      else element.setAttribute('href', '');
    }
  }
}

const selfLinks = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((level) => `${level} > a[href^="#"]`).join(', ');

/** The anchor of a heading may stand on it, inside it, just before it, or on the section around it. */
export function markAnchors(root: Element): void {
  for (const heading of root.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const section = heading.parentElement;
    const first = section?.firstElementChild === heading ? section : null;
    const inside = heading.querySelector('[id], a[name]');
    const id =
      heading.id ||
      inside?.id ||
      inside?.getAttribute('name') ||
      (first?.matches('section, div') ? first.id : '') ||
      '';
    const found = id || anchorBefore(heading);
    if (found && !/\s/.test(found)) heading.setAttribute('data-anchor', found);
  }
}

/** The signatures of an API are its headings. */
function titleSignatures(root: Element, document: PageDocument): void {
  for (const link of [...root.querySelectorAll(selfLinks)]) link.replaceWith(...[...link.childNodes]);
  for (const term of [...root.querySelectorAll('dt[id]')]) {
    const heading = document.createElement('h4');
    const code = document.createElement('code');
    code.textContent = textOf(term);
    heading.append(code);
    heading.setAttribute('data-anchor', term.id);
    if (
      term.matches('.sig, .sig-object') ||
      term.closest('dl')?.matches('.py, .js, .c, .cpp, .method, .function, .class')
    ) {
      term.replaceWith(heading);
    }
  }
}

/** Older generators put an empty anchor before the heading, or before the list or block that begins with it. */
function anchorBefore(heading: Element): string {
  for (let at: Element | null = heading, level = 0; at && level < 4; at = at.parentElement, level++) {
    const before: Element | null = at.previousElementSibling;
    if (before?.matches('a[name], a[id]') && textOf(before) === '')
      return before.getAttribute('name') ?? before.id;
    if (before) return '';
  }
  return '';
}
