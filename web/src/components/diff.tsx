const kinds: Array<[start: string, kind: string]> = [
  ['diff ', 'file'],
  ['+++', 'meta'],
  ['---', 'meta'],
  ['index ', 'meta'],
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
];

const kindOf = (line: string): string => kinds.find(([start]) => line.startsWith(start))?.[1] ?? '';

/** A unified diff, line by line. */
export function Diff({ text }: { text: string }) {
  return (
    <pre className="diff">
      {text
        .trimEnd()
        .split('\n')
        .filter((line) => kindOf(line) !== 'meta')
        .map((line, at) => (
          <span key={`${at} ${line}`} className={`diff-line ${kindOf(line)}`}>
            {kindOf(line) === 'file' ? line.replace(/^diff --git a\/.* b\//, '') : line || ' '}
          </span>
        ))}
    </pre>
  );
}
