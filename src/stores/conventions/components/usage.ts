import { lineOf } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import { insideOf } from './members.ts';
import type { Placed } from './patterns.ts';

const aside = /(^|\/)(tests?|__tests__|spec|stories)\/|\.(test|spec|stories)\.\w+$/;

/** A usage example of a component: the shortest one from real code, if there is one. */
export async function usageOf(
  files: ProjectFiles,
  component: Placed,
): Promise<{ example: string; source: string }> {
  const called = component.type === 'ui' ? `<${component.name}` : `${component.name}(`;
  if (component.type !== 'pattern') {
    const places = (await files.holding([called])).filter(
      (path) => path !== component.path && !path.endsWith('.md'),
    );
    places.sort((a, b) => Number(aside.test(a)) - Number(aside.test(b)) || a.length - b.length);
    for (const path of places.slice(0, 6)) {
      const text = await files.read(path);
      const found = (component.type === 'ui' ? elementIn : callIn)(text ?? '', component.name);
      if (found) return { example: found.example, source: `${path}:${found.line}` };
    }
  }
  return { example: fromSignature(component), source: 'from its signature' };
}

function elementIn(text: string, name: string): { example: string; line: number } | undefined {
  const match = new RegExp(`<${name}(?=[\\s/>])`).exec(text);
  if (!match) return undefined;
  let depth = 0;
  for (let at = match.index; at < Math.min(text.length, match.index + 900); at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === '>' && depth === 0 && text[at - 1] !== '=') {
      const example = text.slice(match.index, at + 1);
      return {
        example: example.endsWith('/>') ? dedent(example) : `${dedent(example)}…</${name}>`,
        line: lineOf(text, match.index),
      };
    }
  }
  return undefined;
}

function callIn(text: string, name: string): { example: string; line: number } | undefined {
  for (const match of text.matchAll(new RegExp(`(?<![\\w$.])${name}\\(`, 'g'))) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    const line = text
      .slice(start, text.indexOf('\n', match.index) < 0 ? undefined : text.indexOf('\n', match.index))
      .trim();
    if (
      /^(import|export|from|function|def|func|fn|async function|\/\/|#|\*)\b/.test(line) ||
      line.startsWith('*')
    )
      continue;
    const inside = insideOf(text, match.index + name.length);
    const example =
      inside.includes('\n') && inside.length < 300
        ? dedent(text.slice(start, match.index + name.length + inside.length + 2))
        : line;
    return { example: example.slice(0, 400), line: lineOf(text, match.index) };
  }
  return undefined;
}

function dedent(text: string): string {
  const lines = text.split('\n');
  const margins = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const margin = Math.min(...margins, 40);
  const trimmed = lines.map((line, at) => (at === 0 ? line.trimStart() : line.slice(margin)));
  return (margins.length > 0 ? trimmed : lines).join('\n').trim();
}

function fromSignature(component: Placed): string {
  if (component.type !== 'ui')
    return component.type === 'pattern'
      ? component.signature
      : `${component.name}(${component.parameters.map((parameter) => parameter.name).join(', ')})`;
  const needed = component.props.filter((prop) => prop.required && prop.name !== 'children');
  return `<${component.name}${needed.map((prop) => ` ${prop.name}={…}`).join('')} />`;
}
