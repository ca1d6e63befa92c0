import { SylkError } from '../../base/errors.ts';
import { findOperation } from '../../operations/list.ts';
import { type CommandRun, commandNames, matchCommand } from './command.ts';
import { globalFlagNames } from './global-flags.ts';
import { inputFlags } from './input-flags.ts';
import { allVerbs, matchVerb } from './verbs.ts';

const scripts: Record<string, string> = {
  bash: `_sylk() { local IFS=$'\\n'; COMPREPLY=($(compgen -W "$(sylk completions --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _sylk sylk
`,
  zsh: `#compdef sylk
_sylk() { local -a found; found=(\${(f)"$(sylk completions --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"}); compadd -a found; _files; }
compdef _sylk sylk
`,
  fish: `complete -c sylk -a '(sylk completions --words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  pwsh: `Register-ArgumentCompleter -Native -CommandName sylk -ScriptBlock {
  param($word, $ast, $position)
  $words = $ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" }
  sylk completions --words '--' @words 2>$null | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

export const run: CommandRun = async (args, _flags, io) => {
  if (args[0] === '--words') {
    const words = args.slice(args[1] === '--' ? 2 : 1);
    io.out((await candidates(words)).map((word) => `${word}\n`).join(''));
    return 0;
  }
  const script = scripts[args[0] ?? ''];
  if (!script)
    throw new SylkError('VALIDATION_ERROR', 'Missing shell.', {
      hint: 'Usage: sylk completions bash|zsh|fish|pwsh',
    });
  io.out(script);
  return 0;
};

/** Candidates for the word being typed. */
export async function candidates(words: string[]): Promise<string[]> {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const found = matchCommand(before);
  const command = found && commandNames[found.name];
  const matched = matchVerb(before);
  const choices = new Set<string>();
  if (matched) {
    const operation = await findOperation(matched.name);
    for (const flag of inputFlags(operation)) {
      if (before.at(-1) === flag.flag)
        return (flag.choices ?? []).filter((choice) => choice.startsWith(typed));
      choices.add(flag.flag);
    }
  } else if (command) for (const word of Object.keys(command.words)) choices.add(word);
  const firsts = [...allVerbs(), ...Object.keys(commandNames)];
  for (const verb of firsts) {
    const parts = verb.split(' ');
    if (parts.length > before.length && before.every((word, at) => parts[at] === word))
      choices.add(parts[before.length]!);
  }
  if (typed.startsWith('-')) for (const flag of globalFlagNames) choices.add(flag);
  return [...choices].filter((choice) => choice.startsWith(typed)).sort();
}
