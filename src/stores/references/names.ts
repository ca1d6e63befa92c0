/** Lowercase letters and digits joined by `-`; never empty, never longer than the limit. */
export function slugOf(text: string, longest: number): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
    .replace(/-+$/, '');
  return slug || 'untitled';
}

export const topicIdOf = (title: string): string => `topic-${slugOf(title, 48)}`;
export const folderOf = (id: string): string => id.replace(/^topic-/, '');

/** `https://dioxuslabs.com/learn/0.6/` → `dioxuslabs-com-learn-0-6`. */
export function urlSlug(url: string): string {
  const parsed = new URL(url);
  return slugOf(`${parsed.host}${parsed.pathname.replace(/\.(?:html?|md|txt)$/, '')}${parsed.search}`, 120);
}

const devices = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** Whether a path of an external repository can be a file on every system, inside its directory. */
export function isSafePath(path: string): boolean {
  if (path.length > 400 || /[\x00-\x1f\x7f\\:*?"<>|]/.test(path) || path.startsWith('/')) return false;
  return path
    .split('/')
    .every(
      (part) =>
        part !== '' &&
        part !== '.' &&
        part !== '..' &&
        part.length <= 200 &&
        !/[. ]$/.test(part) &&
        !devices.test(part) &&
        part.replace(/[\u200b-\u200f\u202a-\u202e\ufeff]/g, '').toLowerCase() !== '.git' &&
        !/^git~\d$/i.test(part),
    );
}

/** Those of the wanted paths that select none of the files. */
export const unmatchedPaths = (paths: string[] | undefined, files: string[]): string[] =>
  (paths ?? []).filter((wanted) => !files.some((file) => selects([wanted], file)));

/** `README.md` means that file, `docs/` everything below; empty means everything. */
export function selects(paths: string[] | undefined, path: string): boolean {
  if (!paths || paths.length === 0) return true;
  return paths.some((wanted) => {
    const plain = wanted.replace(/^\.?\/+/, '').replace(/\/+$/, '');
    return plain === '' || path === plain || path.startsWith(`${plain}/`);
  });
}
