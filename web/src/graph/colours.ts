/** The colours of the theme as a canvas takes them; asked again when the theme changes. */
export interface Colours {
  of(kind: string): string;
  shade(at: number): string;
  link(type: string): string;
  ink: string;
  quiet: string;
  ground: string;
  line: string;
  faint: string;
  accent: string;
}

const shades = 8;
const linkKinds = ['imports', 'changes_with', 'covers', 'about'];
const kinds = ['file', 'symbol', 'commit', 'area', 'entry', 'task', 'topic', 'skill', 'folder'];

export function readColours(inside: HTMLElement): Colours {
  const probe = document.createElement('span');
  inside.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const byKind = new Map(kinds.map((kind) => [kind, read(`--kind-${kind}`)]));
  const byShade = Array.from({ length: shades }, (_, at) => read(`--shade-${at}`));
  const byLink = new Map(linkKinds.map((type) => [type, read(`--link-${type}`)]));
  const colours: Colours = {
    shade: (at) => byShade[at % shades]!,
    link: (type) => byLink.get(type) ?? '',
    of: (kind) => byKind.get(kind) ?? byKind.get('file')!,
    ink: read('--ink'),
    quiet: read('--quiet'),
    ground: read('--surface'),
    line: read('--graph-line'),
    faint: read('--line-colour'),
    accent: read('--accent'),
  };
  const plain = colours.line;
  probe.remove();
  return { ...colours, link: (type) => byLink.get(type) ?? plain };
}

/** Calls back when the chosen theme or that of the system changes. */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  system.addEventListener('change', changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', changed);
  };
}

/** `rgb(1, 2, 3)` with a share of it showing. */
export const faded = (colour: string, share: number): string =>
  colour.replace(/^rgb\((.*)\)$/, (_, parts: string) => `rgba(${parts}, ${share})`);
