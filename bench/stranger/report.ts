import type { StrangerCase } from './case.ts';
import type { Failure } from './judge.ts';

interface Report {
  results: Array<{ tried: StrangerCase; failures: Failure[]; broken?: boolean }>;
  combinations: number;
  offered: number;
  commands: number;
  seed: number;
}

/** Sets that somebody apart from the defense wrote, and lists that others keep. */
const byOthers = /^(?:second set|third set|fourth set|listed):/;

const shownOfACase = 12;

/** The number of combinations, then every failure by case and command with the line that shows it again. */
export function printReport({ results, combinations, offered, commands, seed }: Report): void {
  const failed = results.filter(({ failures }) => failures.length > 0);
  for (const { tried, failures } of failed) {
    console.log(`\n${tried.name}`);
    const kinds = new Map<string, Failure[]>();
    for (const failure of failures) {
      const key = `${failure.kind}: ${failure.detail}`;
      kinds.set(key, [...(kinds.get(key) ?? []), failure]);
    }
    for (const [key, same] of [...kinds].slice(0, shownOfACase)) {
      const names = same.map(({ command }) => command);
      console.log(
        `  ${key}\n    in ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`,
      );
    }
    if (kinds.size > shownOfACase) console.log(`  … ${kinds.size - shownOfACase} more`);
    const [first] = failures;
    const choice =
      first && !/^(?:mcp|http|any)\b/.test(first.command) ? ` --commands '${first.command}'` : '';
    console.log(`  again: npm run lab -- stranger --cases '${tried.name.replaceAll("'", "'\\''")}'${choice}`);
  }
  const kinds = Map.groupBy(
    failed.flatMap(({ failures }) => failures),
    ({ kind }) => kind,
  );
  const others = results.filter(({ tried }) => byOthers.test(tried.name)).length;
  const broken = results.filter((result) => result.broken).length;
  console.log(
    `\n${combinations} combinations: ${results.length} of ${offered} cases (${others} by others than the author of the defense) with ${commands} commands, every tool and every request; seed ${seed}`,
  );
  if (broken) console.log(`${broken} cases could not be made here`);
  console.log(
    `${failed.length} cases failed${[...kinds].map(([kind, list]) => `\n  ${kind}: ${list.length} in ${new Set(list.map((each) => each.case)).size} cases`).join('')}`,
  );
}
