import type { PlanNode, Touch } from '../../stores/runs/index.ts';

/**
 * The path that two nodes will probably both change, or undefined. Probable is what reaches the threshold for both together; a
 * file that everybody edits is never changed by two at once, however unlikely.
 */
export function sharedTouch(
  left: Pick<PlanNode, 'touches'>,
  right: Pick<PlanNode, 'touches'>,
  threshold: number,
): string | undefined {
  for (const one of left.touches)
    for (const other of right.touches) {
      const path = commonPath(one.path, other.path);
      const isProbable = one.probability * other.probability >= threshold || one.shared || other.shared;
      if (path !== undefined && isProbable) return path;
    }
  return undefined;
}

function commonPath(left: Touch['path'], right: Touch['path']): string | undefined {
  if (left === right) return left;
  if (left.endsWith('/') && right.startsWith(left)) return right;
  return right.endsWith('/') && left.startsWith(right) ? left : undefined;
}
