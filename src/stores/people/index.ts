// Owns: the people, agents and services of a team, their rights by repository, their tokens and passwords.
// Knows: base only.
// Must not know: which operation needs which right, or how a token arrives.
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { PeopleContext } from './context.ts';
import { addMember, adoptSubject, checkPassword, endMember, giveRight, setPassword } from './ingest.ts';
import { unknownMember } from './names.ts';
import { accessOf, getMember, hasMembers, identify, listMembers } from './query.ts';
import { migrations, type PeopleTables } from './tables.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

export {
  type Access,
  everyRepository,
  givenRights,
  type Member,
  memberKinds,
  memberSchema,
  type Right,
  reaches,
  rights,
  type ShownToken,
  tokenSchema,
} from './member.ts';
export { longestDays } from './tokens.ts';

export type People = ReturnType<typeof openPeople>;

export function openPeople({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(migrations);
  const tables = () => library.tables<PeopleTables>();
  const context: PeopleContext = { library, tables, clock, usesWritten: new Map() };
  return {
    unknown: unknownMember,
    ...bindAll(context, {
      add: addMember,
      giveRight,
      end: endMember,
      setPassword,
      checkPassword,
      adoptSubject,
      list: listMembers,
      get: getMember,
      hasMembers,
      createToken,
      listTokens,
      revokeToken,
      identify,
      accessOf,
    }),
  };
}
