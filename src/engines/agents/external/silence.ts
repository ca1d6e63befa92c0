/** Parts of the limit at which an agent that says nothing is told of. */
const parts = [1 / 60, 1 / 6, 1 / 2];

/** How long an agent has said nothing, and whether that is news. */
export function createSilence(limitMs: number) {
  let since = Date.now();
  let told = 0;
  return {
    end: (): void => {
      since = Date.now();
      told = 0;
    },
    look: (): { isOver: boolean; seconds: number | undefined } => {
      const passed = Date.now() - since;
      const reached = parts.filter((part) => passed >= part * limitMs).length;
      const isNews = reached > told;
      told = Math.max(told, reached);
      return { isOver: passed >= limitMs, seconds: isNews ? Math.round(passed / 1000) : undefined };
    },
  };
}

export const silentText = (title: string, seconds: number, limitMinutes: number): string =>
  `${title} has said nothing for ${seconds} s. It is stopped after ${limitMinutes} minutes of that; Ctrl-C stops it now.`;
