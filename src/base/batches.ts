import { setImmediate as afterEvents } from 'node:timers/promises';

/**
 * Does work for many callers in one act: what is asked for in one turn of the event loop, or while an act is under way, is done together. A disk then
 * waits once for all of them. One item that makes an act fail is tried alone, so that the others do not fail with it.
 */
export function inBatches<Item, Answer>(
  act: (items: Item[]) => Promise<Answer[]>,
  most = 200,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    item: Item;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let isActing = false;
  const settle = async (batch: Waiting[]): Promise<void> => {
    try {
      const answers = await act(batch.map(({ item }) => item));
      for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer);
    } catch (error) {
      if (batch.length > 1) for (const one of batch) await settle([one]);
      else batch[0]?.reject(error);
    }
  };
  const actOnAll = async (): Promise<void> => {
    isActing = true;
    while (waiting.length > 0) {
      await afterEvents();
      await settle(waiting.splice(0, most));
    }
    isActing = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isActing) void actOnAll();
    });
}
