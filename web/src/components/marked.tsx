/** Text in which the words of a question stand out. */
export function Marked({ text, query }: { text: string; query: string }) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])];
  if (words.length === 0) return text;
  const found = new RegExp(`(${words.join('|')})`, 'giu');
  return text.split(found).map((part, at) =>
    // A part may stand twice: its place is what tells it apart.
    at % 2 === 1 ? <mark key={at}>{part}</mark> : part,
  );
}
