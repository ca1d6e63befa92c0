import { messageOf } from '../base/errors.ts';
import { state } from '../base/files/index.ts';
import type { Log } from '../base/log.ts';
import type { Guide } from '../engines/guide/index.ts';
import type { Indexing } from '../engines/indexing/index.ts';
import type { OpenedRecall } from '../engines/recall/index.ts';

interface BackgroundParts {
  indexing: () => Promise<Indexing>;
  recall: () => Promise<OpenedRecall>;
  embedReferences: () => Promise<void>;
  guide: () => Promise<Guide>;
  /** Path of the library; without one there are no messages. */
  library: string;
  log: Log;
  isClosed(): boolean;
}

/** Watches files, embeds, and delivers what another process left behind. */
export async function startBackground(parts: BackgroundParts): Promise<void> {
  const { embedReferences, guide, log, isClosed } = parts;
  const engine = await parts.indexing();
  const { queue } = await parts.recall();
  // One model works at a time: first for this repository, then for the shelf of references.
  const embed = async () => {
    await queue.run();
    await embedReferences();
  };
  engine.listen(({ source }) => {
    if (source === 'recall') void embed();
  });
  await engine.background();
  void embed();
  // An app that is closed meanwhile leaves the rest to the next process.
  const catchUp = async (failure: string, work: (guide: Guide) => unknown) => {
    try {
      if (!isClosed()) await work(await guide());
    } catch (error) {
      if (!isClosed()) log.warn(`${failure}: ${messageOf(error)}`);
    }
  };
  if (state.exists(parts.library))
    await catchUp('old messages were not forgotten', (opened) => opened.forgetOldMessages());
  void catchUp('waiting messages were not delivered', async (opened) => (await opened.bus()).recover());
}
