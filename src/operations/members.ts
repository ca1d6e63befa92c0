import type { App } from '../app.ts';
import type { Access } from '../stores/people/index.ts';

export type { Access } from '../stores/people/index.ts';

/** Whoever runs the server: the file of its token and the links on its terminal belong to the owner of the database. */
export const operatorAccess = (kind: 'person' | 'network'): Access =>
  kind === 'person'
    ? { name: 'operator', kind: 'person', rightIn: () => 'admin' }
    : { name: 'api', kind: 'service', rightIn: () => 'writer' };

export const isTeam = ({ config }: App): boolean => config.team.database !== '';

/** The member whose token it is, with the rights of this moment. */
export const identifyMember = async (app: App, token: string): Promise<Access | undefined> =>
  (await app.people()).identify(token);

/** A member who logged in, with the rights of this moment; undefined for one who left. */
export const loggedInMember = async (app: App, member: string): Promise<Access | undefined> =>
  (await app.people()).accessOf(member);
