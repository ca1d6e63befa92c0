import { join } from 'node:path';
import { tree } from '../../base/files/index.ts';
import { productText } from './client-file.ts';

const begin = '<!-- sylk:begin (written by `sylk init --agents-md`; `sylk uninstall` removes it) -->';
const end = '<!-- sylk:end -->';
const block = /(?:\r?\n)?<!-- sylk:begin[^>]*-->[\s\S]*?<!-- sylk:end -->(?:\r?\n)?/;

export interface AgentsBlockChange {
  path: string;
  change: 'added' | 'updated' | 'unchanged' | 'removed';
}

/** Adds the block to existing agent notes (AGENTS.md, CLAUDE.md), or to a new AGENTS.md. */
export function writeAgentsBlock(root: string): AgentsBlockChange[] {
  const there = notes(root).filter(
    (path) => tree.isFile(root, path) && !/^@AGENTS\.md\s*$/m.test(tree.readText(root, path) ?? ''),
  );
  return (there.length > 0 ? there : [join(root, 'AGENTS.md')]).map((path) => {
    const text = tree.readText(root, path) ?? '';
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const wanted = `${begin}\n${productText('agents-block.md').trimEnd()}\n${end}\n`.replaceAll('\n', eol);
    const found = block.exec(text);
    const lead = found && /^\r?\n/.test(found[0]) ? eol : '';
    const gap = text === '' ? '' : eol;
    const after = found ? text.replace(block, () => lead + wanted) : text + gap + wanted;
    if (after === text) return { path, change: 'unchanged' };
    tree.write(root, path, after);
    return { path, change: found ? 'updated' : 'added' };
  });
}

/** Removes the block; a file that contained nothing else is deleted. */
export function removeAgentsBlock(root: string): AgentsBlockChange[] {
  const changes: AgentsBlockChange[] = [];
  for (const path of notes(root)) {
    const text = tree.readText(root, path);
    if (text === undefined || !block.test(text)) continue;
    const rest = text.replace(block, '');
    if (rest === '') tree.remove(root, path);
    else tree.write(root, path, rest);
    changes.push({ path, change: 'removed' });
  }
  return changes;
}

const notes = (root: string): string[] => [join(root, 'AGENTS.md'), join(root, 'CLAUDE.md')];
