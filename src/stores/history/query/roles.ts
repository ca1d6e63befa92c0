import { isTestPath } from '../../../base/text/index.ts';

const bookkeeping =
  /(?:^|\/)(?:change[-_ ]?(?:log|s)|history|news|releases?|authors|contributors|maintainers|\.mailmap|\.all-contributorsrc)(?:[._-][^/]*)?$|(?:^|\/)\.changeset\/|(?:^|\/)[^/]*(?:lock|shrinkwrap)\.(?:json|ya?ml)$|(?:^|\/)go\.sum$|\.(?:lock|snap|map|po|mo|png|jpe?g|gif|svg|ico)$/i;

/** Files that change along with anything, or that nobody edits: change logs, lists of people, locks, generated ones. */
export const isBookkeeping = (path: string): boolean => bookkeeping.test(path);

/** The kind of a file, and whether the question is about that kind. Each is 0 or 1. */
export interface RoleSignals {
  test: number;
  document: number;
  /** A change log, a lock file: touched by everything, about nothing. */
  bookkeeping: number;
  /** A document, and the question is about documents. */
  wantedDocument: number;
  wantedTest: number;
  /** The question is about building, checking or releasing, which source, documents and tests are rarely about. */
  setupSource: number;
  setupDocument: number;
  setupTest: number;
}

const document = /\.(?:mdx?|rst|txt|adoc)$|(?:^|\/)docs?\//i;
const code =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|rb|php|cs|c|cc|cpp|hh?|hpp|swift|scala|dart|exs?|vue|svelte|zig|lua|mli?)$/i;
/** Release notes are written for readers: they are searched for, unlike change logs. */
const released = /(?:^|\/)(?:news|releases?)(?:[._-][^/]*)?$/i;

const aboutDocuments =
  /\b(?:docs?|document\w*|typos?|readme|guide|tutorial|example|grammar|spelling|links?|wording|changelog|docstrings?)\b/i;
/** A request to fix a link is about a document; a question about links is about the code. */
const askedDocuments = /\b(?:docs?|documentation|documented|readme|guide|tutorial|changelog)\b/i;
const aboutTests = /\b(?:tests?|testing|coverage|specs?|pytest|flaky)\b/i;
const aboutSetup =
  /\b(?:ci|lint\w*|workflows?|actions?|pre-commit|tox|travis|setup|build|deps?|dependenc\w+|python ?\d|versions?|node|drop|upgrade|update|eslint|prettier|types?|mypy|typing|packag\w+|release|config\w*|github)\b/i;

const asks = /^(?:how|what|where|when|why|which|who|is|are|does|do|can|should|could)\b|\?\s*$/i;

export type AskedRoles = ReturnType<typeof askedRoles>;

/** The kinds of files that a question is about. */
export const askedRoles = (question: string) => ({
  documents: (asks.test(question) ? askedDocuments : aboutDocuments).test(question),
  tests: aboutTests.test(question),
  // A question about comparing versions is about the code; the task "update versions" is not.
  setup: aboutSetup.test(question) && !asks.test(question),
});

export function roleSignals(path: string, asked: AskedRoles): RoleSignals {
  const isTest = isTestPath(path);
  const isDocument = document.test(path);
  const isKept = isBookkeeping(path) && !released.test(path);
  const isSource = !isTest && !isDocument && !isKept && code.test(path);
  return {
    test: Number(isTest),
    document: Number(isDocument),
    bookkeeping: Number(isKept),
    wantedDocument: Number(asked.documents && isDocument),
    wantedTest: Number(asked.tests && isTest),
    setupSource: Number(asked.setup && isSource),
    setupDocument: Number(asked.setup && isDocument),
    setupTest: Number(asked.setup && isTest),
  };
}
