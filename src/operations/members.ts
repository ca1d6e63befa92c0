import type { App } from '../app.ts';
import { redact } from '../base/redact.ts';
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

interface Login {
  /** Who it is, where it was proved. */
  member: { id: string; name: string } | undefined;
  /** What was said instead, and how. */
  claimed: string;
  way: 'password' | 'oidc';
}

/** Writes a login down, also one that failed. */
async function recordLogin(app: App, { member, claimed, way }: Login): Promise<void> {
  await (await app.audit()).record({
    name: member?.name ?? redact(claimed).slice(0, 64),
    kind: 'person',
    person: '',
    token: '',
    repository: '',
    operation: 'login',
    effect: 'decide',
    outcome: member ? 'began' : 'refused',
    call: '',
    input: JSON.stringify({ way }),
    note: member ? '' : 'nobody was proved to be that',
  });
}

export async function passwordLogin(app: App, name: string, password: string): Promise<Login['member']> {
  const member = await (await app.people()).checkPassword(name, password);
  await recordLogin(app, { member, claimed: name, way: 'password' });
  return member;
}

/** `subject` names the person at its provider for good; the email only finds who was invited. */
export async function providerLogin(
  app: App,
  { issuer, subject, email }: { issuer: string; subject: string; email: string | undefined },
): Promise<Login['member']> {
  const member = await (await app.people()).adoptSubject({ subject: `${issuer} ${subject}`, email });
  await recordLogin(app, { member, claimed: email ?? subject, way: 'oidc' });
  return member;
}

/** For the commands of a laptop: a token of the person who has just logged in. */
export async function loginToken(app: App, member: string, label: string) {
  const { token, shown } = await (await app.people()).createToken({ member, label, days: loginDays });
  return { ...shown, token };
}

const loginDays = 30;
