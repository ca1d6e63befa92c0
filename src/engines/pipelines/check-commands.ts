import type { Conventions } from '../../stores/conventions/index.ts';

/** Command lines that the project itself names for its linters, formatters, type checkers and tests. */
export async function checkCommands({ tools }: Conventions): Promise<string[]> {
  const discovered = await tools.discover({ path: '' });
  const named = discovered.tools.filter(
    ({ category, source, is_installed }) => category !== 'lsp' && source !== 'registry' && is_installed,
  );
  return [...new Set(named.map(({ run_command }) => run_command).filter((line) => line !== ''))];
}
