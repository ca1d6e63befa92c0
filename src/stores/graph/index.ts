// Owns: links between refs of any store, sources, verifications, conflicts, supersessions.
// Knows: the library, and the grammar of refs.
// Must not know: what is behind a ref, who may see it, git, files.
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { conflicts, findConflict, recordConflict, resolveConflict } from './conflicts.ts';
import type { GraphContext } from './context.ts';
import { dropLinksOf, edgesOf, link, linkAll, shareLinksOf, unlink } from './edges.ts';
import { archive, archiveExpired, currentOf, restore, supersede } from './lifetime.ts';
import { describe, dropMentions, nodesOf, removeRefs, symbolRefs } from './nodes.ts';
import { derivedFrom, recordSources, sourcesOf } from './provenance.ts';
import { type GraphTables, graphMigrations } from './tables.ts';
import { traverse } from './traverse.ts';
import { confirm, recordVerification, reviewQueue, verificationsOf } from './verification.ts';

export { isRef, parseRef, refText, type Side } from '../../base/ref.ts';
export { exportLinks, importLinks } from './exchange.ts';
export * from './records.ts';
export { maxDepth, type Reached, type TraverseRequest } from './traverse.ts';
export {
  codeEdges,
  type EdgeType,
  edgeNames,
  edgeTable,
  edgeType,
  edgeTypes,
  groundEdges,
  type NodeKind,
} from './vocabulary.ts';

export type Graph = ReturnType<typeof openGraph>;

/** `maxNodes`: the maximum number of linked things. */
export function openGraph({
  library,
  clock,
  maxNodes = 1_000_000,
}: {
  library: Library;
  clock: Clock;
  maxNodes?: number;
}) {
  library.migrate(graphMigrations);
  const context: GraphContext = { library, clock, maxNodes, db: () => library.tables<GraphTables>() };
  return bindAll(context, {
    archive,
    archiveExpired,
    confirm,
    conflicts,
    derivedFrom,
    describe,
    dropLinksOf,
    dropMentions,
    edgesOf,
    findConflict,
    link,
    linkAll,
    nodesOf,
    recordConflict,
    recordSources,
    recordVerification,
    removeRefs,
    resolveConflict,
    restore,
    reviewQueue,
    shareLinksOf,
    sourcesOf,
    supersede,
    supersededBy: currentOf,
    symbolRefs,
    traverse,
    unlink,
    verificationsOf,
  });
}
