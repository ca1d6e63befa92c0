import { Readability } from '@mozilla/readability';
import { type Element, type PageDocument, textOf } from './dom.ts';

/** Where generators put the text of a page, the most particular first. */
const containers = [
  '.theme-doc-markdown', // Docusaurus
  '.md-content__inner', // Material for MkDocs
  '.vp-doc', // VitePress
  '.theme-default-content', // VuePress
  '.sl-markdown-content', // Starlight
  '#mdbook-content main', // mdBook
  '.page-wrapper > .page main', // mdBook, older
  '.rst-content [itemprop="articleBody"]', // Read the Docs
  'article.bd-article', // PyData theme
  'article#furo-main-content', // Furo
  '.bodywrapper .body', // Sphinx, classic themes
  '.devsite-article-body',
  'article.doc', // Antora
  '#main-content.content', // rustdoc
  'section#main-content', // rustdoc, older
  '.rustdoc #main',
  '.tsd-page > .container .col-content',
  '.col-content', // TypeDoc
  '.markdown-section', // GitBook, docsify
  '.markdown-body',
  '.contents > .textblock',
  '.td-content', // Docsy
  '.main-content-wrap .main-content', // Just the Docs
  '#main-doc', // PHP documentation
  '[itemprop="articleBody"]',
  'main article',
  '[role="main"]',
  'main',
  'article',
  '#main-content',
  '#documenter-page', // Documenter
  '.docs-content',
  '#content',
  'div.contents', // Doxygen
  '.contentContainer', // Javadoc, older
];

/** Parts of the page frame, wherever they stand. */
const furniture = [
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'embed',
  'form',
  'button',
  'input',
  'select',
  'textarea',
  'svg',
  'canvas',
  'dialog',
  'nav',
  'aside:not(.admonition)',
  'footer',
  'body > header',
  '[role="navigation"]',
  '[role="search"]',
  '[role="banner"]',
  '[role="contentinfo"]',
  '[aria-hidden="true"]',
  '[hidden]:not([role="tabpanel"]):not(.tab-pane)',
  '.headerlink',
  '.header-anchor',
  '.hash-link',
  '.anchor-link',
  'a.anchor',
  'a.anchorjs-link',
  'a.doc-anchor',
  'a.sl-anchor-link',
  'a.tsd-anchor',
  'a.tsd-anchor-icon',
  '.breadcrumb',
  '.breadcrumbs',
  '.wy-breadcrumbs',
  '.theme-doc-breadcrumbs',
  '.theme-doc-toc-mobile',
  '.theme-doc-footer',
  '.theme-doc-version-badge',
  '.table-of-contents',
  '.toctree-wrapper + .toc-drawer',
  '#toc',
  '.toc',
  '.page-nav',
  '.nav-chapters',
  '.nav-wrapper',
  '.prev-next',
  '.pagination',
  '.pagination-nav',
  '.rst-footer-buttons',
  '.related',
  '.sphinxsidebar',
  '.sidebar',
  '#sidebar',
  '.sidebar-scrollbox',
  '.md-source-file',
  '.md-content__button',
  '.edit-this-page',
  '.edit-page-link',
  '.edit-link',
  '.page-edit',
  '.last-updated',
  '.viewcode-link',
  '.viewcode-back',
  'a.src',
  'a.srclink',
  '#copy-path',
  '.copy',
  '.copybtn',
  '.copy-button',
  '.clipboard',
  '.skip-link',
  '.skip-to-content',
  '.visually-hidden',
  '.sr-only',
  '.cookie-banner',
  '.feedback',
  '.search-results',
  '.dynheader',
  '#titlearea',
  '#top',
  '#nav-path',
];

/** Line numbers beside code are not code. */
const lineNumbers = [
  'td.linenos',
  '.linenos',
  '.linenodiv',
  'td.gutter',
  '.lineno',
  '.line-numbers-wrapper',
  'pre.src-line-numbers',
  '.src-line-numbers',
];

export function dropFurniture(root: Element): void {
  for (const element of [...root.querySelectorAll([...lineNumbers, ...furniture].join(', '))])
    element.remove();
}

const enough = 200;

/** The container a generator is known by, else what reads like an article, else the whole body. */
export function findMainContent(document: PageDocument, parse: (html: string) => PageDocument): Element {
  const body = document.body ?? document.documentElement;
  for (const selector of containers) {
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
