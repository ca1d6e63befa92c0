import { useEffect, useState } from 'react';

/** Code with line numbers. The colours come later, from a part that is loaded when code is first shown. */
export default function Code({
  text,
  path,
  firstLine,
  marked,
}: {
  text: string;
  path: string;
  firstLine: number;
  marked?: number;
}) {
  const [html, setHtml] = useState<string>();
  const lines = text.replace(/\n$/, '').split('\n').length;
  useEffect(() => {
    let wanted = true;
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    setHtml(undefined);
    if (text.length < 400_000)
      void import('highlight.js/lib/common').then(({ default: highlighter }) => {
        if (wanted && highlighter.getLanguage(extension))
          setHtml(highlighter.highlight(text, { language: extension, ignoreIllegals: true }).value);
      });
    return () => {
      wanted = false;
    };
  }, [text, path]);
  const inside = marked !== undefined && marked >= firstLine && marked < firstLine + lines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="code" tabIndex={0} aria-label={`Content of ${path}`}>
      <pre className="gutter" aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => firstLine + index).join('\n')}
      </pre>
      <div className="code-body">
        {inside ? (
          <div
            className="code-mark"
            ref={showMark}
            style={{ top: `calc(${marked - firstLine} * var(--line))` }}
          />
        ) : null}
        <pre>
          {html === undefined ? (
            <code>{text}</code>
          ) : (
            // The highlighter escapes every character of its input.
            <code dangerouslySetInnerHTML={{ __html: html }} />
          )}
        </pre>
      </div>
    </section>
  );
}

/** Brings the line into sight; its beginning stays where it is. */
function showMark(mark: HTMLElement | null): void {
  mark?.scrollIntoView({ block: 'center' });
  mark?.closest('.code')?.scrollTo({ left: 0 });
}
