const token =
  /(?<space>[ \t]+)|(?<end>&&|\|\||;|\|)|(?<quiet>2>&1|[12]?>[ ]?\/dev\/null)|'(?<single>[^'\n]*)'|"(?<double>[^"$`\\!\n]*)"|(?<plain>(?:[\w@%+=:,./^*?[\]-]|(?<=[\w^])~)+)/y;

/**
 * The words of each command in a line, or undefined where the line has something that only a shell can read: variables,
 * substitutions, redirections, assignments, functions, several lines. A rule of policy is held against these words.
 */
export function plainCommands(line: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (token.lastIndex = 0; token.lastIndex < line.length; ) {
    const { space, end, quiet, single, double, plain } = token.exec(line)?.groups ?? {};
    const piece = single ?? double ?? plain;
    if (piece !== undefined) word = (word ?? '') + piece;
    else if (space !== undefined || quiet !== undefined) endWord();
    else if (end !== undefined) {
      endWord();
      commands.push([]);
    } else return undefined;
  }
  endWord();
  const isPlain = commands.every(([program]) => program !== undefined && !program.includes('='));
  return isPlain ? commands : undefined;
}
