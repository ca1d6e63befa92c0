import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files of ten seconds and more on a quiet machine, the longest first. */
const longest = [
  'tests/stranger.test.ts',
  'tests/surfaces/contract.test.ts',
  'tests/failures.test.ts',
  'tests/memory/isolation.test.ts',
  'tests/trust/references.test.ts',
  'tests/references/walk-through.test.ts',
  'tests/trust/every-way-in.test.ts',
  'tests/models/models.test.ts',
  'src/operations/recall/recall.test.ts',
  'src/base/embedding/embedding.test.ts',
  'tests/memory/common-memory.test.ts',
  'tests/surfaces/mcp-stdio.test.ts',
  'tests/memory/worktrees.test.ts',
  'tests/work/knowledge.test.ts',
];

/** Short files come last, so that the workers end together: a fresh clone has no times of an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.endsWith(path));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
