import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const skillText = (name: string, description: string, body = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** Writes files below a root: a path that ends in SKILL.md may give its description alone. */
export function writeSkills(root: string, files: Record<string, string>): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const name = path.split('/').at(-2) ?? '';
    const whole = !path.endsWith('SKILL.md') || content.includes('\n') ? content : skillText(name, content);
    writeFileSync(file, whole);
  }
  return root;
}
