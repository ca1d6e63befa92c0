import type { Clock } from '../base/clock.ts';
import { SylkError } from '../base/errors.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Audit } from '../stores/audit/index.ts';
import type { People } from '../stores/people/index.ts';

export interface PeopleAccessors {
  /** Members of the team and their rights; refused where this is no team. */
  people(): Promise<People>;
  /** Who did what in the team. */
  audit(): Promise<Audit>;
}

export function peopleAccessors(parts: {
  teamLibrary: () => Promise<Library>;
  isTeam: boolean;
  clock: Clock;
}): PeopleAccessors {
  const requireTeam = (): void => {
    if (parts.isTeam) return;
    throw new SylkError('UNAVAILABLE', 'This repository belongs to one person: it has no team.', {
      hint: 'A team has a PostgreSQL database: sylk serve --database postgres://USER@HOST/NAME?schema=sylk',
    });
  };
  return {
    people: once(async () => {
      requireTeam();
      const { openPeople } = await import('../stores/people/index.ts');
      return openPeople({ library: await parts.teamLibrary(), clock: parts.clock });
    }),
    audit: once(async () => {
      requireTeam();
      const { openAudit } = await import('../stores/audit/index.ts');
      return openAudit({ library: await parts.teamLibrary(), clock: parts.clock });
    }),
  };
}
