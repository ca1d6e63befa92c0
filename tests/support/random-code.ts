import type { TestRepository } from './repository.ts';

/** Small numbers that repeat for a seed. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const names = ['make', 'run', 'total', 'part', 'value', 'check', 'apply', 'Widget', 'Frame', 'Store'];

/** A source file with imports, classes, functions and calls that may or may not lead somewhere. */
export function randomSource(path: string, others: string[], pick: (below: number) => number): string {
  const name = () => names[pick(names.length)]!;
  const other = others[pick(others.length)] ?? path;
  const lines: string[] = [];
  if (path.endsWith('.py')) {
    const module = other.replace(/\.\w+$/, '').replaceAll('/', '.');
    lines.push(pick(3) === 0 ? `from ${module} import *` : `from ${module} import ${name()}, ${name()}`);
    if (pick(2) === 0) lines.push(`import ${module} as other`);
    lines.push(
      `class ${name()}(${name()}):`,
      `    def ${name()}(self):`,
      `        return self.${name()}()`,
      '',
    );
    lines.push(
      `def ${name()}(a):`,
      `    x = ${name()}()`,
      `    x.${name()}()`,
      `    other.${name()}()`,
      `    return ${name()}(a)`,
      '',
    );
  } else {
    const up = '../'.repeat(path.split('/').length - 1) || './';
    lines.push(`import { ${name()}, ${name()} as q } from '${up}${other}';`);
    if (pick(3) === 0) lines.push(`export * from '${up}${other}';`);
    lines.push(
      `export class ${name()} extends ${name()} {`,
      `  ${name()}() { return this.${name()}(); }`,
      '}',
    );
    lines.push(
      `export function ${name()}(a: ${name()}) {`,
      `  const x = new ${name()}();`,
      `  x.${name()}();`,
      `  q();`,
      `  return ${name()}(a);`,
      '}',
    );
  }
  return `${lines.join('\n')}\n`;
}

const pathOf = (pick: (below: number) => number): string =>
  `${['', 'lib/', 'lib/deep/'][pick(3)]}${['a', 'b', 'c', 'd', 'e', 'index', '__init__'][pick(7)]}.${['ts', 'py'][pick(2)]}`;

/** One random step of a working tree; answers the paths it touched, or undefined when it could be anything. */
export function randomStep(
  repository: TestRepository,
  present: Set<string>,
  pick: (below: number) => number,
): string[] | undefined {
  const list = [...present].sort();
  const some = list[pick(Math.max(1, list.length))];
  switch (pick(12)) {
    case 0: {
      if (!some || list.length < 4) return [];
      repository.remove(some);
      present.delete(some);
      return [some];
    }
    case 1: {
      const to = pathOf(pick);
      if (!some || present.has(to)) return [];
      repository.write(to, randomSource(to, list, pick));
      repository.remove(some);
      present.delete(some);
      present.add(to);
      return [some, to];
    }
    case 2: {
      repository.write('.sylkignore', pick(2) === 0 ? 'lib/deep/\n' : '# nothing\n');
      return undefined;
    }
    case 3: {
      repository.write(
        'tsconfig.json',
        JSON.stringify({ compilerOptions: pick(2) === 0 ? { baseUrl: 'lib' } : {} }),
      );
      return ['tsconfig.json'];
    }
    default: {
      const path = some && pick(2) === 0 ? some : pathOf(pick);
      repository.write(path, pick(10) === 0 ? '// @generated\n' : randomSource(path, list, pick));
      present.add(path);
      return [path];
    }
  }
}
