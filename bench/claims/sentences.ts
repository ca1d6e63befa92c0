/** Sentences of a commit message, without the lines that tools and habits add. */
export function messageSentences(message: string): string[] {
  const kept = message
    .split('\n')
    .filter((line) => !/^\s*(?:[\w-]+-by:|closes?\b|fix(?:es)? #|refs?\b|https?:|>|\||```|#)/i.test(line))
    .join('\n');
  return split(kept);
}

/** Sentences of prose in a Markdown or reStructuredText file: no code, tables, badges or headings. */
export function documentSentences(text: string): string[] {
  const prose = text
    .replace(/```[\s\S]*?```|~~~[\s\S]*?~~~|<!--[\s\S]*?-->/g, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||<|!\[|\[!\[|\.\. |={3,}|-{3,}| {4,}\S)/.test(line))
    .join('\n')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '');
  return split(prose);
}

const split = (text: string): string[] =>
  text
    .split(/\n\s*\n|\n\s*[-*+•]\s+|(?<=[.!?])\s+(?=[A-Z`])|\n(?=\s*\d+\.\s)/)
    .map((sentence) =>
      sentence
        .replace(/\s+/g, ' ')
        .replace(/^[-*+•\d.)\s]+/, '')
        .trim(),
    )
    .filter((sentence) => sentence.length >= 12 && sentence.length <= 300);

/** The name stands in the sentence as a word of its own. */
export function mentions(sentence: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\w@/.-])${escaped}(?![\\w-]|/\\w|\\.\\w)`, 'i').test(sentence);
}

/** It looks like a name of the code: camel or snake case, quoted as code, or called. */
export const looksLikeCode = (sentence: string, name: string): boolean =>
  /[a-z][A-Z]|_/.test(name) ||
  sentence.includes(`\`${name}\``) ||
  sentence.includes(`\`${name}(`) ||
  sentence.includes(`${name}()`);
