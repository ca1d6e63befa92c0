/** Time as the bus sees it: an argument, so that a test can move it. */
export interface BusTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A steady count of milliseconds, for durations. */
  steady(): number;
  /** Runs `work` later; the answer calls it off. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemTime: BusTime = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
