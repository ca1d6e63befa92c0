/** The few parts of a document that are used here; the parser's own types are those of a browser. */
export interface Element {
  readonly nodeName: string;
  readonly nodeType: number;
  readonly children: Iterable<Element> & { length: number };
  readonly childNodes: Iterable<Element> & { length: number };
  readonly parentElement: Element | null;
  readonly parentNode: Element | null;
  readonly firstElementChild: Element | null;
  readonly nextElementSibling: Element | null;
  readonly previousElementSibling: Element | null;
  readonly className: string;
  id: string;
  textContent: string | null;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element> & { length: number };
  closest(selector: string): Element | null;
  matches(selector: string): boolean;
  replaceWith(...nodes: Array<Element | string>): void;
  append(...nodes: Array<Element | string>): void;
  cloneNode(deep: boolean): Element;
  remove(): void;
}

export interface PageDocument extends Element {
  readonly body: Element | null;
  readonly documentElement: Element;
  createElement(name: string): Element;
}

export const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
