import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import { idOf, isRefOf } from '../../base/ref.ts';
import {
  type Chronicle,
  contentHash,
  type OfferedEntry,
  type SharedEntry,
  type TakenEntry,
} from '../../stores/chronicle/index.ts';

/** What changed in the library of a team since a position. */
export interface TeamChanges {
  entries: SharedEntry[];
  position: string;
  more: boolean;
}

/** The library of a team, as a laptop reaches it. */
export interface TeamLibrary {
  take(offers: OfferedEntry[]): Promise<TakenEntry[]>;
  changes(position: string | undefined): Promise<TeamChanges>;
}

const pageSize = 100;
/** A server refuses bodies of more than 4 MB. */
const pageCharacters = 1_000_000;

const entryIds = (refs: string[]): string[] => refs.filter((ref) => isRefOf(ref, 'entry')).map(idOf);

/** The side of the team. What it is offered is taken in one write. */
export const teamLibrary = (
  { library, chronicle }: { library: Library; chronicle: Chronicle },
  by: string,
): TeamLibrary => ({
  take: (offers) => library.write(() => chronicle.shared.take(offers, by)),
  changes: async (from) => {
    const { refs, position, more } = await library.changesSince(from, pageSize);
    return { entries: await chronicle.shared.read(entryIds(refs)), position, more };
  },
});

export interface Synced {
  sent: number;
  received: number;
  /** Entries that both sides changed: both texts are kept. */
  conflicts: string[];
  /** The server takes nothing from this person; what was written waits here. */
  mayOnlyRead: boolean;
}

/**
 * The side of the laptop. Its library stays whole and is read and written as ever; what is shared is sent with the ids that it got here,
 * and what the team wrote is brought. Both ways go by change numbers. What both sides had last, by entry, is a mark beside the rows and is
 * written with them, so that whatever is interrupted is done again and nothing is stored twice.
 */
export async function exchangeWith(
  { library, chronicle, team }: { library: Library; chronicle: Chronicle; team: string },
  remote: TeamLibrary,
): Promise<Synced & { ids: string[] }> {
  const agreed = library.marks(`agreed ${team}`);
  const places = library.marks(`team ${team}`);
  const result: Synced & { ids: string[] } = {
    sent: 0,
    received: 0,
    conflicts: [],
    ids: [],
    mayOnlyRead: false,
  };
  for (;;) {
    const outgoing = await nextOffers({ library, chronicle }, await places.get('sent'), agreed);
    const isOffered = outgoing.offers.length > 0 && !result.mayOnlyRead;
    const taken = isOffered ? await remote.take(outgoing.offers).catch(refusedToReaders) : [];
    if (taken === undefined) result.mayOnlyRead = true;
    const reply = await remote.changes(await places.get('received'));
    await library.write(async () => {
      for (const { id, result: outcome, entry } of taken ?? []) {
        const offered = outgoing.offers.find((offer) => offer.entry.id === id)?.entry;
        if (!offered) continue;
        await agreed.set(id, contentHash(entry ?? offered));
        if (outcome === 'conflicting') result.conflicts.push(id);
        const now = (await chronicle.shared.read([id])).find((each) => each.id === id);
        // Changed again while it was under way: the next round offers that.
        if (entry && now && contentHash(now) === contentHash(offered)) await chronicle.shared.put([entry]);
      }
      const arrived = await wantedOf(chronicle, reply.entries, agreed);
      result.ids.push(...(await chronicle.shared.put(arrived)));
      for (const entry of arrived) await agreed.set(entry.id, contentHash(entry));
      await places.set('received', reply.position);
      if (!result.mayOnlyRead) await places.set('sent', outgoing.position);
      result.received += arrived.length;
    });
    if (!result.mayOnlyRead) result.sent += outgoing.offers.length;
    if (!reply.more && (result.mayOnlyRead || !outgoing.more)) return result;
  }
}

function refusedToReaders(error: unknown): undefined {
  if (!(error instanceof SylkError) || error.code !== 'DENIED') throw error;
}

type Marks = ReturnType<Library['marks']>;

/** What was written here since the last round, and is not what the team has already. */
async function nextOffers(
  { library, chronicle }: { library: Library; chronicle: Chronicle },
  from: string | undefined,
  agreed: Marks,
): Promise<{ offers: OfferedEntry[]; position: string; more: boolean }> {
  for (let size = pageSize; ; size = Math.ceil(size / 4)) {
    const { refs, position, more } = await library.changesSince(from, size);
    const offers: OfferedEntry[] = [];
    for (const entry of await chronicle.shared.read(entryIds(refs))) {
      const base = (await agreed.get(entry.id)) ?? null;
      if (base !== contentHash(entry)) offers.push({ entry, base });
    }
    if (size === 1 || JSON.stringify(offers).length < pageCharacters) return { offers, position, more };
  }
}

/** What the team wrote and this library has not changed meanwhile; what both changed is offered, and told, by the next round. */
async function wantedOf(chronicle: Chronicle, entries: SharedEntry[], agreed: Marks): Promise<SharedEntry[]> {
  const own = new Map(
    (await chronicle.shared.read(entries.map(({ id }) => id))).map((entry) => [entry.id, contentHash(entry)]),
  );
  const wanted: SharedEntry[] = [];
  for (const entry of entries) {
    const [here, last, there] = [own.get(entry.id), await agreed.get(entry.id), contentHash(entry)];
    // Forgotten here, and not written again there.
    const isGone = here === undefined && last === there;
    if (!isGone && here !== there && (here === undefined || here === last)) wanted.push(entry);
    else if (here === there && last !== there) await agreed.set(entry.id, there);
  }
  return wanted;
}

/** How many entries wait for the team; for a laptop that cannot reach it. */
export async function countWaiting({
  library,
  chronicle,
  team,
}: {
  library: Library;
  chronicle: Chronicle;
  team: string;
}): Promise<number> {
  const agreed = library.marks(`agreed ${team}`);
  let from = await library.marks(`team ${team}`).get('sent');
  for (let count = 0; ; ) {
    const { offers, position, more } = await nextOffers({ library, chronicle }, from, agreed);
    count += offers.length;
    if (!more) return count;
    from = position;
  }
}
