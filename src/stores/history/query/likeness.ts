const bookkeeping =
  /(?:^|\/)(?:change[-_ ]?(?:log|s)|history|news|releases?|authors|contributors|maintainers|\.mailmap|\.all-contributorsrc)(?:[._-][^/]*)?$|(?:^|\/)\.changeset\/|(?:^|\/)[^/]*(?:lock|shrinkwrap)\.(?:json|ya?ml)$|(?:^|\/)go\.sum$|\.(?:lock|snap|map|po|mo|png|jpe?g|gif|svg|ico)$/i;

const byproduct =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|\.yarn|locale)\/|(?:^|\/)(?:readme[^/]*|go\.mod)$|\.(?:woff2?|ttf|eot|pdf|zip|gz|wasm|min\.js)$/i;

/** Files that change along with anything, or that nobody edits: change logs, lists of people, locks, generated ones. */
export const isBookkeeping = (path: string): boolean => bookkeeping.test(path);

/** Copies, builds, and the front page that every feature is mentioned on: no reason to look there after a change. */
export const isByproduct = (path: string): boolean => byproduct.test(path);

/** What a file is called without folders, ending and the words that make it a test: `test_views.py` → `views`. */
export function stemOfPath(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const stem = base
    .replace(/(?:\.d)?\.[a-z0-9]+$/, '')
    .replace(/(?:^|[._-])(?:tests?|specs?)(?=[._-]|$)/g, '');
  return stem.replace(/^[._-]+|[._-]+$/g, '');
}
