import type { NamedCommand } from './named-command.ts';

/** Targets with their recipes. Variables that are assigned plainly are put in; everything else stays as written. */
export function makeTargets(text: string, directory: string, file: string): NamedCommand[] {
  const variables = new Map<string, string>();
  const targets: NamedCommand[] = [];
  let open: NamedCommand[] = [];
  for (const [at, line] of text
    .replace(/\\\r?\n/g, (all) => all.replace('\\', ' '))
    .split('\n')
    .entries()) {
    const assignment = /^(?:export\s+)?([A-Za-z_]\w*)\s*[:?+]?=\s*(.*)$/.exec(line);
    if (assignment && !line.startsWith('\t')) {
      if (!variables.has(assignment[1]!)) variables.set(assignment[1]!, assignment[2]!.trim());
      continue;
    }
    const head = /^([A-Za-z0-9_][\w./%$()-]*(?:\s+[\w./%-]+)*)\s*::?(?!=)\s*([^#=]*)(?:#.*)?$/.exec(line);
    if (head && !line.startsWith('\t')) {
      open = head[1]!.split(/\s+/).map((name) => ({
        kind: 'make',
        name,
        display: `make ${name}`,
        body: '',
        needs: head[2]!.split(/\s+/).filter((need) => /^[\w.-]+$/.test(need)),
        directory,
        file,
        line: at + 1,
      }));
      targets.push(...open);
    } else if (line.startsWith('\t')) {
      for (const target of open) target.body += `${line.slice(1)}\n`;
    } else if (
      line.trim() !== '' &&
      !line.startsWith('#') &&
      !/^(else|endif|ifeq|ifneq|ifdef|ifndef)/.test(line)
    ) {
      open = [];
    }
  }
  const put = (body: string, round = 0): string =>
    round > 3
      ? body
      : body.replace(/\$[({](\w+)[)}]/g, (all, name: string) =>
          name === 'MAKE' ? 'make' : put(variables.get(name) ?? all, round + 1),
        );
  return targets
    .filter(({ name }) => !name.includes('%') && !name.startsWith('.'))
    .map((target) => ({ ...target, body: put(target.body) }));
}

/** What plain `make` runs. */
export const defaultTarget = (targets: NamedCommand[], text: string): string | undefined =>
  /^\.DEFAULT_GOAL\s*:?=\s*(\S+)/m.exec(text)?.[1] ?? targets[0]?.name;
