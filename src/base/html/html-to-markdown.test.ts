import { describe, expect, test } from 'vitest';
import { htmlToMarkdown } from './index.ts';

const words =
  'This part of the page explains at some length what the library does and how it is meant to be used. '.repeat(
    3,
  );
const read = (body: string, head = '') =>
  htmlToMarkdown(
    `<!doctype html><html><head><title>Site title</title>${head}</head><body>${body}</body></html>`,
    'https://docs.example.org/guide/page.html',
  );

/** One miniature of the structure that each generator writes, with its furniture around the same text. */
const generators: Record<string, string> = {
  Docusaurus: `<nav class="navbar">FURNITURE</nav><main><article><nav class="theme-doc-breadcrumbs">FURNITURE</nav><div class="theme-doc-markdown markdown"><h1>Title</h1><p>${words}</p><h2 class="anchor" id="usage">Usage<a href="#usage" class="hash-link">FURNITURE</a></h2><div class="language-js codeBlockContainer"><pre class="prism-code language-js"><code><span class="token-line">const a = 1;<br></span><span class="token-line">run(a);<br></span></code></pre><button>FURNITURE</button></div></div></article></main><footer>FURNITURE</footer>`,
  'Material for MkDocs': `<header>FURNITURE</header><div class="md-sidebar"><nav>FURNITURE</nav></div><div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button">FURNITURE</a><h1>Title</h1><p>${words}</p><h2 id="usage">Usage<a class="headerlink" href="#usage">FURNITURE</a></h2><div class="language-js highlight"><table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre><code>const a = 1;\nrun(a);\n</code></pre></td></tr></table></div></article></div>`,
  'Sphinx, Read the Docs theme': `<nav class="wy-nav-side">FURNITURE</nav><div class="rst-content"><div role="navigation" class="wy-breadcrumbs">FURNITURE</div><div role="main"><div itemprop="articleBody"><section id="title"><h1>Title<a class="headerlink">FURNITURE</a></h1><p>${words}</p><section id="usage"><h2>Usage<a class="headerlink">FURNITURE</a></h2><div class="highlight-js notranslate"><div class="highlight"><pre><span></span>const a = 1;\nrun(a);\n</pre></div></div></section></section></div></div><footer>FURNITURE</footer></div>`,
  'Sphinx, classic theme': `<div class="related">FURNITURE</div><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><h1>Title</h1><p>${words}</p><div class="section" id="usage"><h2>Usage<a class="headerlink">FURNITURE</a></h2><div class="highlight-js"><div class="highlight"><pre>const a = 1;\nrun(a);</pre></div></div></div></div></div></div></div><div class="sphinxsidebar">FURNITURE</div>`,
  Furo: `<aside class="sidebar-drawer">FURNITURE</aside><article role="main" id="furo-main-content"><section><h1>Title</h1><p>${words}</p><h2 id="usage">Usage</h2><div class="highlight-js"><div class="highlight"><pre>const a = 1;\nrun(a);</pre></div></div></section></article><aside class="toc-drawer">FURNITURE</aside>`,
  mdBook: `<nav id="sidebar" class="sidebar"><div class="sidebar-scrollbox">FURNITURE</div></nav><div class="page-wrapper"><div class="page"><div id="menu-bar"><button>FURNITURE</button></div><div id="content" class="content"><main><h1 id="title"><a class="header" href="#title">Title</a></h1><p>${words}</p><h2 id="usage"><a class="header" href="#usage">Usage</a></h2><pre><code class="language-js">const a = 1;\nrun(a);\n</code></pre></main><nav class="nav-wrapper">FURNITURE</nav></div></div></div>`,
  VitePress: `<header class="VPNav">FURNITURE</header><aside class="VPSidebar">FURNITURE</aside><main class="main"><div class="vp-doc"><div><h1 id="title">Title <a class="header-anchor" href="#title">FURNITURE</a></h1><p>${words}</p><h2 id="usage">Usage <a class="header-anchor">FURNITURE</a></h2><div class="language-js"><button class="copy">FURNITURE</button><span class="lang">js</span><pre class="shiki"><code><span class="line">const a = 1;</span>\n<span class="line">run(a);</span></code></pre></div></div></div></main>`,
  VuePress: `<header class="navbar">FURNITURE</header><aside class="sidebar">FURNITURE</aside><main class="page"><div class="theme-default-content"><h1 id="title"><a class="header-anchor">FURNITURE</a> Title</h1><p>${words}</p><h2 id="usage"><a class="header-anchor">FURNITURE</a> Usage</h2><div class="language-js extra-class"><pre class="language-js"><code>const a = 1;\nrun(a);</code></pre></div></div><footer class="page-edit">FURNITURE</footer></main>`,
  Starlight: `<nav>FURNITURE</nav><main><div class="sl-markdown-content"><h1 id="t">Title</h1><p>${words}</p><div class="sl-heading-wrapper"><h2 id="usage">Usage</h2><a class="sl-anchor-link">FURNITURE</a></div><div class="expressive-code"><pre data-language="js"><code><div class="ec-line"><div class="code">const a = 1;</div></div><div class="ec-line"><div class="code">run(a);</div></div></code></pre><div class="copy"><button>FURNITURE</button></div></div></div></main>`,
  rustdoc: `<nav class="sidebar">FURNITURE</nav><main><section id="main-content" class="content"><h1>Title <button id="copy-path">FURNITURE</button></h1><p>${words}</p><h2 id="usage"><a class="doc-anchor" href="#usage">FURNITURE</a>Usage</h2><div class="example-wrap"><pre class="language-js"><code>const a = 1;\nrun(a);</code></pre></div></section></main>`,
  'Javadoc, older': `<div class="topNav"><ul class="navList"><li>x</li></ul></div><div class="contentContainer"><h1>Title</h1><p>${words}</p><ul class="blockList"><li class="blockList"><a name="usage"></a><ul class="blockList"><li class="blockList"><h2>Usage</h2><pre class="language-js">const a = 1;\nrun(a);</pre></li></ul></li></ul></div>`,
  TypeDoc: `<header class="tsd-page-toolbar">FURNITURE</header><div class="container"><div class="col-content"><h1>Title</h1><p>${words}</p><h2 id="usage">Usage<a class="tsd-anchor-icon">FURNITURE</a></h2><pre><code class="js">const a = 1;\nrun(a);</code><button>FURNITURE</button></pre></div><div class="col-sidebar"><nav>FURNITURE</nav></div></div>`,
  'Jekyll, Just the Docs': `<div class="side-bar"><nav>FURNITURE</nav></div><div class="main-content-wrap"><nav class="breadcrumb-nav">FURNITURE</nav><div id="main-content" class="main-content"><main><h1 id="title">Title</h1><p>${words}</p><h2 id="usage"><a class="anchor-heading"></a>Usage</h2><div class="language-js highlighter-rouge"><div class="highlight"><pre class="highlight"><code>const a = 1;\nrun(a);\n</code></pre></div></div></main><footer>FURNITURE</footer></div></div>`,
  'Hugo, Docsy': `<header>FURNITURE</header><aside class="td-sidebar">FURNITURE</aside><main><div class="td-content"><h1>Title</h1><p>${words}</p><h2 id="usage">Usage<a class="td-heading-self-link" href="#usage" aria-hidden="true">FURNITURE</a></h2><div class="highlight"><pre tabindex="0"><code class="language-js" data-lang="js">const a = 1;\nrun(a);</code></pre></div><div class="feedback">FURNITURE</div></div></main>`,
  Antora: `<nav class="nav">FURNITURE</nav><main class="article"><div class="content"><aside class="toc sidebar">FURNITURE</aside><article class="doc"><h1 class="page">Title</h1><p>${words}</p><div class="sect1"><h2 id="usage"><a class="anchor" href="#usage"></a>Usage</h2><div class="listingblock"><div class="content"><pre class="highlightjs"><code class="language-js" data-lang="js">const a = 1;\nrun(a);</code></pre></div></div></div></article></div></main>`,
  Doxygen: `<div id="top"><div id="titlearea">FURNITURE</div></div><div id="nav-path">FURNITURE</div><div class="contents"><div class="textblock"><h1>Title</h1><p>${words}</p><h2 class="doxsection"><a class="anchor" id="usage"></a>Usage</h2><pre class="language-js">const a = 1;\nrun(a);</pre></div></div>`,
  GitBook: `<div class="book-summary"><nav>FURNITURE</nav></div><div class="book-body"><section class="normal markdown-section"><h1 id="title">Title</h1><p>${words}</p><h2 id="usage">Usage</h2><pre><code class="lang-js">const a = 1;\nrun(a);</code></pre></section></div>`,
  'a page of no generator': `<div class="menu"><nav>FURNITURE</nav></div><div class="story"><h1>Title</h1><p>${words}</p><p>${words}</p><h2 id="usage">Usage</h2><p>${words}</p><pre class="language-js">const a = 1;\nrun(a);</pre></div><footer>FURNITURE</footer>`,
};

describe('the text of a page without its frame', () => {
  test.each(Object.entries(generators))('%s', (_name, body) => {
    const { markdown } = read(body);
    expect(markdown).not.toContain('FURNITURE');
    expect(markdown).toContain('what the library does');
    expect(markdown).toMatch(/^## Usage \{#usage\}$/m);
    expect(markdown).toMatch(/^```(?:js)?\nconst a = 1;\nrun\(a\);\n```$/m);
  });
});

describe('what is kept', () => {
  const main = (html: string) => read(`<main><h1>Title</h1><p>${words}</p>${html}</main>`).markdown;

  test('links become absolute, links within the page stay, dangerous ones lose their target', () => {
    const text = main(
      '<a href="../api#x">api</a> <a href="#here">here</a> <a href="javascript:alert(1)">bad</a>',
    );
    expect(text).toContain('[api](https://docs.example.org/api#x)');
    expect(text).toContain('[here](#here)');
    expect(text).not.toContain('javascript');
  });

  test('tables keep their cells: with and without a head, spans, bars and code', () => {
    expect(
      main(
        '<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>x|y</td><td><pre>p\nq</pre></td></tr></table>',
      ),
    ).toContain('| a | b |\n| --- | --- |\n| x\\|y | `p` `q` |');
    expect(main('<table><tr><td colspan="2">wide</td></tr><tr><td>1</td><td>2</td></tr></table>')).toContain(
      '|  |  |\n| --- | --- |\n| wide |  |\n| 1 | 2 |',
    );
  });

  test('identifiers are not escaped, and code may hold fences', () => {
    expect(main('<p>use_signal and *args</p>')).toContain('use_signal and *args');
    expect(main('<pre>```js\nx\n```</pre>')).toContain('````\n```js\nx\n```\n````');
  });

  test('signatures of an API become headings with their anchor', () => {
    expect(
      main(
        '<dl class="py function"><dt class="sig sig-object" id="mod.run">mod.run(<em>x</em>)</dt><dd><p>Runs.</p></dd></dl>',
      ),
    ).toContain('#### `mod.run(x)` {#mod.run}\n\nRuns.');
  });

  test('formulas keep their source, hidden tabs their code, invisible characters go', () => {
    expect(
      main(
        '<span class="katex"><math><annotation encoding="application/x-tex">e^x</annotation></math><span aria-hidden="true">ex</span></span>',
      ),
    ).toContain('$e^x$');
    expect(main('<div role="tabpanel" hidden><pre>npm i</pre></div>')).toContain('npm i');
    expect(main('<p>zero\u200bwidth</p>')).toContain('zerowidth');
  });

  test('links of the whole page are told for crawling, and a Markdown twin where there is one', () => {
    const page = read(
      '<nav><a href="/next">n</a></nav><main>text</main>',
      '<link rel="alternate" type="text/markdown" href="page.md">',
    );
    expect(page.links).toEqual(['https://docs.example.org/next']);
    expect(page.markdownUrl).toBe('https://docs.example.org/guide/page.md');
  });
});

test('a page that is too deep or too large is refused by name', () => {
  for (const html of ['<div>'.repeat(3000), 'x'.repeat(9_000_000)]) {
    expect(() => htmlToMarkdown(html, 'https://e.org/')).toThrow('too large or too deeply nested');
  }
});
