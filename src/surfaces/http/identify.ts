import type { App } from '../../app.ts';
import {
  type Access,
  identifyMember,
  isTeam,
  loggedInMember,
  operatorAccess,
} from '../../operations/members.ts';
import type { Identity, Tokens } from './tokens.ts';

export type Identify = (token: string) => Promise<Identity | undefined>;

/** Whose token it is: of this server, or in a team of one of its members. Rights are read anew at each call. */
export function createIdentify(tokens: Tokens, app: () => App): Identify {
  const identify: Identify = async (token) => {
    const own = tokens.identify(token);
    if (!isTeam(app())) return own;
    if (own) {
      const member = own.kind === 'person' ? own.member : undefined;
      const access = member === undefined ? operatorAccess(own.kind) : await loggedInMember(app(), member);
      return access && { ...own, access };
    }
    const access = await identifyMember(app(), token);
    return access && byToken(access, async () => (await identify(token)) !== undefined);
  };
  return identify;
}

/** A person's token is the person, and each decision still needs a gesture; an agent's and a service's is theirs. */
const byToken = (access: Access, isOpen: () => Promise<boolean>): Identity =>
  access.kind === 'person'
    ? { kind: 'person', session: `token ${access.token?.id}`, access, isOpen }
    : { kind: 'network', access, isOpen };
