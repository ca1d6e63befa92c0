import { compileGlob, type PathTest } from './glob.ts';

interface Rule {
  matches: PathTest;
  foldersOnly: boolean;
  excludes: boolean;
}

/** The lines of a .gitignore: the last rule that matches decides, and nothing comes back from an excluded folder. */
export function ignoreRules(lines: string[]): PathTest {
  const rules = lines.map(readRule).filter((rule) => rule !== undefined);
  const folders = new Map<string, boolean>();
  const decide = (path: string, isFolder: boolean): boolean =>
    rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.matches(path))?.excludes ?? false;
  return (path) => {
    if (rules.length === 0) return false;
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const known = folders.get(folder) ?? decide(folder, true);
      folders.set(folder, known);
      if (known) return true;
    }
    return decide(path, false);
  };
}

function readRule(line: string): Rule | undefined {
  const text = line.replace(/\r$/, '').replace(/(?<![\\ ]) +$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const excludes = !text.startsWith('!');
  const [, anchor, body = '', folder] = /^(\/?)(.*?)(\/?)$/.exec(excludes ? text : text.slice(1)) ?? [];
  // Braces mean themselves here, and `folder/**` is what the folder holds without the folder.
  const glob = body.replace(/\\?([{}])/g, '\\$1').replace(/\/\*\*$/, '/**/*');
  if (glob === '') return undefined;
  try {
    const matches = compileGlob(anchor || glob.includes('/') ? glob : `**/${glob}`);
    return { matches, foldersOnly: folder === '/', excludes };
  } catch {
    return undefined;
  }
}
