/** So long may one piece of drawing hold up the page, in milliseconds. */
const budget = 8;

/** Drawing that is done a few milliseconds at a time, a frame each, until it is done or something else is begun. */
export function inSlices(): { start(work: Iterator<void>): void; stop(): void } {
  let frame = 0;
  const stop = () => cancelAnimationFrame(frame);
  return {
    start: (work) => {
      stop();
      const go = () => {
        const until = performance.now() + budget;
        do if (work.next().done) return;
        while (performance.now() < until);
        frame = requestAnimationFrame(go);
      };
      go();
    },
    stop,
  };
}
