import { failureOf, finding, type Repairable } from './finding.ts';

export interface TeamFacts {
  database(): Promise<{ version: string; waiting: number; oldestSeconds: number; workers: number }>;
  /** The address of the hub, once it has answered. */
  hub(): Promise<string>;
}

/** A command that nobody has taken for this long is stuck. */
const patienceSeconds = 60;

/** What a server and its workers need: the database, somebody who carries commands out, and the way that commits take. */
export async function checkTeam({ database, hub }: TeamFacts): Promise<Repairable[]> {
  return [await checkDatabase(database), await checkHub(hub)];
}

async function checkDatabase(database: TeamFacts['database']): Promise<Repairable> {
  const begun = performance.now();
  try {
    const { version, waiting, oldestSeconds, workers } = await database();
    if (waiting > 0 && workers === 0 && oldestSeconds > patienceSeconds)
      return finding('team-database/waiting', { waiting, seconds: Math.round(oldestSeconds) });
    const milliseconds = Math.round(performance.now() - begun);
    return finding('team-database', { version, milliseconds, waiting });
  } catch (error) {
    return finding(
      'team-database/broken',
      failureOf(error, 'Check --database, and that PostgreSQL runs there.'),
    );
  }
}

async function checkHub(hub: TeamFacts['hub']): Promise<Repairable> {
  try {
    return finding('team-hub', { address: await hub() });
  } catch (error) {
    return finding('team-hub/broken', failureOf(error, 'Start the server: sylk serve --database …'));
  }
}
