/** Drawing that is done a step a frame until it is done or something else is begun: no step holds up the page for long. */
export function inSlices(): { start(work: Iterator<void>): void; stop(): void } {
  let frame = 0;
  const stop = () => cancelAnimationFrame(frame);
  return {
    start: (work) => {
      stop();
      const go = () => {
        if (!work.next().done) frame = requestAnimationFrame(go);
      };
      go();
    },
    stop,
  };
}
