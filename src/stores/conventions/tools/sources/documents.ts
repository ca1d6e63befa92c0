import { lineOf } from '../../places.ts';

/** A command that runs tests, and where the project names it. */
export interface TestCommand {
  command: string;
  file: string;
  line: number;
  /** The script behind it, or the text before it in a document. */
  about: string;
  isDocumented: boolean;
}

/** Documents that say how to work on a project. */
export const isDocument = (path: string): boolean =>
  /^(\.github\/|docs?\/)?(contributing|readme|hacking|develop\w*|testing|building|agents|claude)[\w.-]*$/i.test(
    path,
  ) ||
  /^docs?\/([\w.-]+\/)*[\w.-]*(contribut|develop|test)[\w.-]*(\/[\w.-]+)?\.(md|mdx|rst|txt|adoc)$/i.test(
    path,
  );

const mostLines = 4000;
const textBefore = 300;

/** Lines of code blocks and code inside of sentences; what precedes them says what they are for. */
export function documentedLines(file: string, text: string): TestCommand[] {
  const found: TestCommand[] = [];
  const code = /^[ \t]*(?:\$ |> |% )?([a-z.][\w./-]* [^\n`]+)$|`([a-z.][\w./-]*[^`\n]*)`/gm;
  for (const match of text.matchAll(code)) {
    const command = (match[1] ?? match[2] ?? '').replace(/\s+#.*$/, '').trim();
    if (found.length >= mostLines || command.length > 200) continue;
    const about = text.slice(Math.max(0, match.index - textBefore), match.index + match[0].length);
    // A heading, or the end of another block, begins what is said about this one.
    const start = Math.max(about.lastIndexOf('\n#'), about.lastIndexOf('```\n\n'), 0);
    found.push({
      command,
      file,
      line: lineOf(text, match.index + match[0].indexOf(command)),
      about: about.slice(start),
      isDocumented: true,
    });
  }
  return found;
}
