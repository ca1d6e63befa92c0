import { Readability } from '@mozilla/readability';
import { type Element, type PageDocument, textOf } from './dom.ts';
import pageParts from './page-parts.json' with { type: 'json' };

/** Where generators put the text of a page, the most particular first; parts of the page frame; numbers beside code. */
const { containers, furniture, line_numbers: lineNumbers } = pageParts;

export function dropFurniture(root: Element): void {
  for (const element of [...root.querySelectorAll([...lineNumbers, ...furniture].join(', '))])
    element.remove();
}

const enough = 200;

/** The container a generator is known by, else what reads like an article, else the whole body. */
export function findMainContent(document: PageDocument, parse: (html: string) => PageDocument): Element {
  const body = document.body ?? document.documentElement;
  for (const [selector = ''] of containers) {
    const found = [...body.querySelectorAll(selector)].filter(
      (element) => textOf(element).length >= enough / 4,
    );
    const largest = found.sort((a, b) => textOf(b).length - textOf(a).length)[0];
    if (largest && (textOf(largest).length >= enough || isSmallPage(body, largest))) return largest;
  }
  const article = readable(document, parse);
  return article && textOf(article).length >= Math.max(enough, textOf(body).length / 4) ? article : body;
}

/** A short page may hold little text, but then its container holds most of it. */
const isSmallPage = (body: Element, container: Element): boolean =>
  textOf(container).length * 2 >= textOf(body).length;

function readable(document: PageDocument, parse: (html: string) => PageDocument): Element | undefined {
  const copy = document.cloneNode(true);
  const article = new Readability(copy as never, { keepClasses: true, charThreshold: enough }).parse();
  if (!article?.content) return undefined;
  return (
    parse(`<!doctype html><html><body><main>${article.content}</main></body></html>`).querySelector('main') ??
    undefined
  );
}
