import type { StrangerCase } from '../case.ts';
import { committedStateCases } from './committed-state.ts';
import { configCases } from './configs.ts';
import { fourthSetCases } from './fourth-set.ts';
import { gitConfigCases } from './git-configs.ts';
import { linkCases } from './links.ts';
import { listedCases } from './listed.ts';
import { nameCases } from './names.ts';
import { nestedCases } from './nested.ts';
import { networkCases } from './network.ts';
import { ownCases } from './own-ideas.ts';
import { secondSetCases } from './second-set.ts';
import { sizeCases } from './sizes.ts';
import { skillCases } from './skills.ts';
import { thirdSetGitCases } from './third-set-git.ts';
import { thirdSetNameCases } from './third-set-names.ts';
import { thirdSetObjectCases } from './third-set-objects.ts';
import { thirdSetTextCases } from './third-set-text.ts';
import { thirdSetTreeCases } from './third-set-tree.ts';

/** Add a file with a table beside these and name it here. */
export const allCases: StrangerCase[] = [
  ...committedStateCases,
  ...configCases,
  ...fourthSetCases,
  ...gitConfigCases,
  ...linkCases,
  ...listedCases,
  ...nameCases,
  ...nestedCases,
  ...networkCases,
  ...ownCases,
  ...secondSetCases,
  ...sizeCases,
  ...skillCases,
  ...thirdSetGitCases,
  ...thirdSetNameCases,
  ...thirdSetObjectCases,
  ...thirdSetTextCases,
  ...thirdSetTreeCases,
];
