import { z } from 'zod';

/** What a member may do in a repository, least first. A role is something else: what an agent of a run is there for. */
export const rights = ['reader', 'writer', 'reviewer', 'admin'] as const;
export type Right = (typeof rights)[number];
/** `none` closes one repository to a member who may enter all others. */
export const givenRights = ['none', ...rights] as const;
export type GivenRight = (typeof givenRights)[number];

export const memberKinds = ['person', 'agent', 'service'] as const;
export type MemberKind = (typeof memberKinds)[number];

/** Stands for every repository of the team. */
export const everyRepository = '*';

export const grantSchema = z.object({
  repository: z.string().describe('its name, or * for all'),
  right: z.enum(givenRights),
});
export type Grant = z.output<typeof grantSchema>;

export const memberSchema = z.object({
  name: z.string(),
  kind: z.enum(memberKinds),
  person: z.string().optional().describe('whom an agent works for'),
  email: z.string().optional(),
  rights: z.array(grantSchema),
  has_password: z.boolean(),
  added_at: z.string(),
  added_by: z.string(),
  ended_at: z.string().optional(),
});
export type Member = z.output<typeof memberSchema>;

export const tokenSchema = z.object({
  id: z.string().describe('names the token in lists; grants nothing'),
  member: z.string(),
  label: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().optional(),
  revoked_at: z.string().optional(),
  right: z.enum(rights).optional().describe('at most this right'),
  repositories: z.array(z.string()).optional().describe('in these repositories only'),
  operations: z.array(z.string()).optional().describe('these operations only'),
});
export type ShownToken = z.output<typeof tokenSchema>;

/** Who calls, as the server found it by a token or a session, and what that allows now. */
export interface Access {
  name: string;
  kind: MemberKind;
  /** Whom an agent works for. */
  person?: string | undefined;
  token?: ShownToken | undefined;
  /** Undefined where the repository is closed to the caller. */
  rightIn(repository: string): Right | undefined;
}

const rank = (right: GivenRight): number => givenRights.indexOf(right);
export const reaches = (has: Right | undefined, needs: Right): boolean =>
  has !== undefined && rank(has) >= rank(needs);

/** The least of several rights; undefined where one of them is none. */
export function leastOf(given: readonly GivenRight[]): Right | undefined {
  const least = given.reduce((low, each) => (rank(each) < rank(low) ? each : low), 'admin');
  return least === 'none' ? undefined : least;
}

/** A row for the repository itself comes before one for all. */
export const grantedIn = (grants: readonly Grant[], repository: string): GivenRight =>
  grants.find((grant) => grant.repository === repository)?.right ??
  grants.find((grant) => grant.repository === everyRepository)?.right ??
  'none';
