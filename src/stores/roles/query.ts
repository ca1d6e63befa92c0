import { dirname, join } from 'node:path';
import { type ContentItem, contentItem, stateOf } from '../../base/content-item.ts';
import { person, product, tree } from '../../base/files/index.ts';
import { narrowRole } from './narrow.ts';
import { joinRole, tryRead } from './read-role.ts';
import type { FoundRole } from './role.ts';

/** The team, in the order in which work passes through it. */
export const roleNames = [
  'guide',
  'librarian',
  'archivalist',
  'academic',
  'architect',
  'orchestrator',
  'engineer',
  'designer',
  'inspector',
  'tester',
] as const;

export interface RolesContext {
  /** Where the person's own files are. */
  personDirectory: string;
  /** The working tree, whose `.sylk/roles` may narrow. */
  root: string;
  /** Digests of what the person trusted of the repository, by item. */
  trusted(): ReadonlyMap<string, string>;
}

const repositoryFolder = '.sylk/roles';
const longest = 200_000;

export const listRoles = (context: RolesContext): FoundRole[] =>
  roleNames.map((name) => readRole(context, name));

/** Undefined for a name that is no role of the team. */
export const findRole = (context: RolesContext, name: string): FoundRole | undefined =>
  roleNames.some((known) => known === name) ? readRole(context, name) : undefined;

/** Files of the repository that would narrow a role, for a person to read before they trust them. */
export function repositoryRoles({ root }: Pick<RolesContext, 'root'>): ContentItem[] {
  return roleNames.flatMap((name) => {
    const text = tree.readText(root, `${repositoryFolder}/${name}.md`, { limit: longest });
    return text === undefined ? [] : [itemOf(name, text)];
  });
}

/** Shown as it is in the file. */
const itemOf = (name: string, text: string): ContentItem => ({
  ...contentItem(`roles/${name}.md`, text),
  text,
});

function readRole({ personDirectory, root, trusted }: RolesContext, name: string): FoundRole {
  const shipped = tryRead(product.read(join(shippedRoles(), `${name}.md`)).toString('utf8'));
  const own = tryRead(person.readText(join(personDirectory, `${name}.md`), { limit: longest }));
  const { problem } = own;
  // Whose file it is says which role it is about.
  const named = own.text && { ...own.text, head: { ...own.text.head, name } };
  const joined = joinRole([shipped.text, named]);
  const product_ = joinRole([shipped.text]);
  const role = 'role' in joined ? joined.role : 'role' in product_ ? product_.role : undefined;
  if (!role)
    throw new Error(`The role ${name} of this installation can't be read: ${joined.problems.join('; ')}`);
  const problems = [problem, ...joined.problems]
    .filter((line) => line !== undefined)
    .map((line) => `your roles/${name}.md: ${line}`);
  const from = 'role' in joined && own.text ? 'person' : 'product';
  const text = tree.readText(root, `${repositoryFolder}/${name}.md`, { limit: longest });
  if (text === undefined) return { ...role, from, repository: 'none', problems };
  if (stateOf(trusted(), itemOf(name, text)) !== 'trusted')
    return { ...role, from, repository: 'waits', problems };
  const theirs = tryRead(text);
  const narrowed = theirs.text ? narrowRole(role, theirs.text) : { role, problems: [theirs.problem ?? ''] };
  return {
    ...narrowed.role,
    from,
    repository: theirs.text ? 'narrows' : 'none',
    problems: [...problems, ...narrowed.problems.map((line) => `${repositoryFolder}/${name}.md: ${line}`)],
  };
}

/** `roles/` next to the package's own package.json: the same place in a checkout and in an installation. */
function shippedRoles(): string {
  let directory = import.meta.dirname;
  while (!product.exists(join(directory, 'roles', 'engineer.md'))) {
    const above = dirname(directory);
    if (above === directory) throw new Error('This installation has no roles.');
    directory = above;
  }
  return join(directory, 'roles');
}
