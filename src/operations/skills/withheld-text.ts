import { posix } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { type JudgedSkill, mayEnter, plainId, repositorySkillFolders } from '../../stores/skills/index.ts';
import type { OperationContext } from '../operation.ts';

const skillFolder = /^(?:\.sylk|\.agents|\.claude)\/skills\//i;

/**
 * The text of a repository's skill enters a conversation only after a person trusted exactly it, and reading it as a file
 * is no way around. For every caller: agents run commands, too.
 */
export async function refuseWithheldText(path: string, { app }: OperationContext): Promise<void> {
  const file = posix.normalize(path);
  const isInFolder = skillFolder.test(file);
  if (!isInFolder && repositorySkillFolders(app.repository.sharedDirectory).length === 0) return;
  const engine = await (await app.skills()).engine();
  const skills = (await engine?.listSkills({}, { shadowed: true })) ?? [];
  const [owner] = skills.filter((skill) => owns(skill, file)).sort((a, b) => b.id.length - a.id.length);
  if (owner ? mayEnter(owner.trust) : !isInFolder) return;
  throw new SylkError(
    'APPROVAL_REQUIRED',
    `${path} is text of a skill that nobody trusted, and is withheld.`,
    {
      hint: owner
        ? `A person can review it with \`sylk skills show ${owner.id}\` and decide with \`sylk skills trust ${owner.id}\`.`
        : 'A person can review what this repository brings with `sylk trust`.',
    },
  );
}

const owns = ({ id, origin }: JudgedSkill, file: string): boolean =>
  origin.repository !== undefined &&
  file.toLowerCase().startsWith(`${posix.join(origin.repository, plainId(id))}/`.toLowerCase());
