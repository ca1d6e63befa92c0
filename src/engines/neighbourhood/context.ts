import type { Clock } from '../../base/clock.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { Work } from '../../stores/work/index.ts';
import type { Knowledge } from '../knowledge/index.ts';
import type { Memory } from '../memory/index.ts';
import type { WorkAreas } from '../work-areas/index.ts';

export interface NeighbourhoodContext {
  clock: Clock;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  memory: () => Promise<Memory>;
  references: () => Promise<References>;
  work: () => Promise<Work>;
  areas: () => Promise<Areas>;
  workAreas: () => Promise<WorkAreas>;
  knowledge: () => Promise<Knowledge>;
}
