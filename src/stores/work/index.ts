/**
 * Owns: projects, features, tasks, their sections, templates, tags, dependencies, workflows of states and claims.
 * Knows: the library.
 * Must not know: areas, git, files, or who asks.
 */
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { claimTask, releaseClaim, renewClaim } from './claims.ts';
import type { WorkContext } from './context.ts';
import { findContainer } from './context.ts';
import { linkDocument, putDocument, workDocument, workDocuments } from './exchange.ts';
import { type HeldTask, heldTask, holdWork } from './held.ts';
import { createContainer, removeContainer, updateContainer } from './ingest.ts';
import { block, manageDependency, queryDependencies, unblock } from './links.ts';
import { blockedContainers, nextFeature, nextTask } from './next.ts';
import { getContainer, resolveContainer, searchContainers, taskCounts } from './query.ts';
import { createWorkWords, latestTexts, searchText, textsOf } from './search.ts';
import { addSections, querySections, removeSections, reorderSections, updateSection } from './sections.ts';
import { migrations } from './tables.ts';
import { listTags, renameTag, tagUsage } from './tags.ts';
import {
  addTemplateSection,
  applyTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  switchTemplate,
  updateTemplate,
} from './templates.ts';
import { plantTree } from './tree.ts';
import { advance, revert, terminate, workflowState } from './workflow.ts';
import type { Workflows } from './workflow-states.ts';
import { activeWorkflows, syncWorkflows } from './workflows.ts';

export { type Claimed, leaseLimits } from './claims.ts';
export * from './container.ts';
export type { Author } from './context.ts';
export type { WorkDocument } from './exchange.ts';
export type { WorkHit } from './search.ts';
export type { MoveReply, MoveRequest } from './workflow.ts';
export type { CatalogState, StagedKind, Workflows } from './workflow-states.ts';
export type { HeldTask };

export interface WorkOptions {
  library: Library;
  clock: Clock;
  pipelines: Workflows;
  /** Where words are indexed; in memory when omitted. */
  index?: (() => Sqlite) | undefined;
}

export function openWork({ library, clock, pipelines, index }: WorkOptions) {
  library.migrate(migrations);
  const words = createWorkWords(library, index);
  const context: WorkContext = { library, clock, words, configured: pipelines, seen: { locked: false } };
  return bindAll(context, {
    addSections,
    addTemplateSection,
    advance,
    applyTemplate,
    block,
    blockedContainers,
    claimTask,
    createContainer,
    createTemplate,
    deleteTemplate,
    findContainer,
    getContainer,
    getTemplate,
    heldTask,
    holdWork,
    latestTexts,
    linkDocument,
    listTags,
    listTemplates,
    manageDependency,
    nextFeature,
    nextTask,
    activeWorkflows,
    plantTree,
    putDocument,
    queryDependencies,
    querySections,
    releaseClaim,
    removeContainer,
    removeSections,
    renameTag,
    renewClaim,
    reorderSections,
    resolveContainer,
    revert,
    searchContainers,
    searchText,
    switchTemplate,
    syncWorkflows,
    tagUsage,
    taskCounts,
    terminate,
    textsOf,
    unblock,
    updateContainer,
    updateSection,
    updateTemplate,
    workDocument,
    workDocuments,
    workflowState,
  });
}

export type Work = ReturnType<typeof openWork>;
