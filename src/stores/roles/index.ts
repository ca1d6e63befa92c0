// Owns: the roles of the team as files: those of the product, the person's own on top, what a trusted repository takes away.
// Knows: base only.
// Must not know: who works in a role, what its tools do.
import { bindAll } from '../../base/bind.ts';
import { findRole, listRoles, type RolesContext, repositoryRoles } from './query.ts';

export { fromClaudeCode, toClaudeCode } from './claude-code.ts';
export { roleNames } from './query.ts';
export { writeRole } from './read-role.ts';
export { type FoundRole, type Role, roleHead } from './role.ts';

export type Roles = ReturnType<typeof openRoles>;

export const openRoles = (context: RolesContext) =>
  bindAll(context, { list: listRoles, find: findRole, ofRepository: repositoryRoles });
