const words =
  'The `retry` of a **request** waits for the delay that the server named, 日本語 and 👩‍💻 included, before it is sent again; é is one letter. '.split(
    /(?<= )/,
  );

/** The same words for everybody: Markdown with wide characters, a line of code now and then. */
export function wordsOfStream() {
  let at = 0;
  return {
    next: (): string => {
      at += 1;
      if (at % 120 === 0) return '\n\n```ts\nconst delay = attempt ** 2;\n```\n\n';
      return at % 40 === 0 ? '\n\n- ' : (words[at % words.length] ?? ' ');
    },
  };
}
