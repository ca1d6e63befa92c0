// Owns: turning a web page into Markdown: its main content, with code, tables, links and anchors.
// Knows: nothing of ours but errors.
// Must not know: where a page came from or what becomes of it.
export { htmlToMarkdown } from './html-to-markdown.ts';
