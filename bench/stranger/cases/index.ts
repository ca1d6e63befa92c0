import type { StrangerCase } from '../case.ts';
import { committedStateCases } from './committed-state.ts';
import { configCases } from './configs.ts';
import { gitConfigCases } from './git-configs.ts';
import { linkCases } from './links.ts';
import { nameCases } from './names.ts';
import { nestedCases } from './nested.ts';
import { networkCases } from './network.ts';
import { ownCases } from './own-ideas.ts';
import { secondAuthorCases } from './second-author.ts';
import { sizeCases } from './sizes.ts';
import { skillCases } from './skills.ts';
import { thirdAuthorGitCases } from './third-author-git.ts';
import { thirdAuthorNameCases } from './third-author-names.ts';
import { thirdAuthorObjectCases } from './third-author-objects.ts';
import { thirdAuthorTextCases } from './third-author-text.ts';
import { thirdAuthorTreeCases } from './third-author-tree.ts';

/** Add a file with a table beside these and name it here. */
export const allCases: StrangerCase[] = [
  ...committedStateCases,
  ...configCases,
  ...gitConfigCases,
  ...linkCases,
  ...nameCases,
  ...nestedCases,
  ...networkCases,
  ...ownCases,
  ...secondAuthorCases,
  ...sizeCases,
  ...skillCases,
  ...thirdAuthorGitCases,
  ...thirdAuthorNameCases,
  ...thirdAuthorObjectCases,
  ...thirdAuthorTextCases,
  ...thirdAuthorTreeCases,
];
