import { type CommandFile, type NamedCommand, namedCommand } from './named-command.ts';

/** Targets with their recipes. Simple variables are substituted; everything else stays as written. */
export function makeTargets(file: CommandFile): NamedCommand[] {
  const variables = new Map<string, string>();
  const targets: NamedCommand[] = [];
  let open: NamedCommand[] = [];
  const lines = file.text.replace(/\\\r?\n/g, (all) => all.replace('\\', ' ')).split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('\t')) {
      for (const target of open) target.body += `${line.slice(1)}\n`;
      continue;
    }
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_]\w*)\s*[:?+]?=\s*(.*)$/.exec(line) ?? [];
    if (name) {
      if (!variables.has(name)) variables.set(name, value.trim());
      continue;
    }
    const [, names, needs = ''] =
      /^([A-Za-z0-9_][\w./%$()-]*(?:\s+[\w./%-]+)*)\s*::?(?!=)\s*([^#=]*)(?:#.*)?$/.exec(line) ?? [];
    if (names) {
      open = names.split(/\s+/).map((target) => ({
        ...namedCommand(file, 0, { kind: 'make', name: target, display: `make ${target}`, body: '' }),
        needs: needs.split(/\s+/).filter((need) => /^[\w.-]+$/.test(need)),
        line: at + 1,
      }));
      targets.push(...open);
    } else if (!/^\s*$|^#|^(else|endif|ifeq|ifneq|ifdef|ifndef)/.test(line)) {
      open = [];
    }
  }
  const expand = (body: string, round = 0): string =>
    round > 3
      ? body
      : body.replace(/\$[({](\w+)[)}]/g, (all, name: string) =>
          name === 'MAKE' ? 'make' : expand(variables.get(name) ?? all, round + 1),
        );
  return targets
    .filter(({ name }) => !name.includes('%') && !name.startsWith('.'))
    .map((target) => ({ ...target, body: expand(target.body) }));
}

/** The target that plain `make` runs. */
export const defaultTarget = (targets: NamedCommand[], text: string): string | undefined =>
  /^\.DEFAULT_GOAL\s*:?=\s*(\S+)/m.exec(text)?.[1] ?? targets[0]?.name;
