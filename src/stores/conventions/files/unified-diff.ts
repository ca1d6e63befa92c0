/** A diff that `git apply -p0` takes, with three lines around each change. */
export interface UnifiedDiff {
  text: string;
  added: number;
  removed: number;
}

interface Edit {
  /** Lines before: [from, to) are replaced by the lines after: [into, end). */
  from: number;
  to: number;
  into: number;
  end: number;
}

const context = 3;
const maxSteps = 2000;

export function unifiedDiff(path: string, before: string, after: string): UnifiedDiff {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const edits = editsBetween(old, fresh);
  if (edits.length === 0) return { text: '', added: 0, removed: 0 };
  const hunks = grouped(edits).map((group) => hunk(group, old, fresh));
  return {
    text: `--- ${path}\n+++ ${path}\n${hunks.join('')}`,
    added: edits.reduce((sum, edit) => sum + edit.end - edit.into, 0),
    removed: edits.reduce((sum, edit) => sum + edit.to - edit.from, 0),
  };
}

/** Each line with its own line end, so that a missing last one and a carriage return are seen. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function editsBetween(old: string[], fresh: string[]): Edit[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  const left = old.slice(head, old.length - tail);
  const right = fresh.slice(head, fresh.length - tail);
  if (left.length === 0 && right.length === 0) return [];
  const pairs = commonLines(left, right);
  const edits: Edit[] = [];
  let [from, into] = [0, 0];
  for (const [a, b] of [...pairs, [left.length, right.length] as const]) {
    if (a > from || b > into)
      edits.push({ from: from + head, to: a + head, into: into + head, end: b + head });
    from = a + 1;
    into = b + 1;
  }
  return edits;
}

/** Indexes of lines that stay, by Myers' greedy search; where the texts differ too much, none: one block is exact too. */
function commonLines(left: string[], right: string[]): Array<readonly [number, number]> {
  const most = Math.min(left.length + right.length, maxSteps);
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let step = 0; step <= most; step++) {
    trail.push(reach.slice());
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const down =
        diagonal === -step ||
        (diagonal !== step && reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!);
      let x = down ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      reach[offset + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trail, left, right, offset);
    }
  }
  return [];
}

function walkBack(
  trail: Int32Array[],
  left: string[],
  right: string[],
  offset: number,
): Array<readonly [number, number]> {
  const kept: Array<readonly [number, number]> = [];
  let [x, y] = [left.length, right.length];
  for (let step = trail.length - 1; step >= 0; step--) {
    const reach = trail[step]!;
    const diagonal = x - y;
    const down =
      diagonal === -step ||
      (diagonal !== step && reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!);
    const before = down ? diagonal + 1 : diagonal - 1;
    const startX = step === 0 ? 0 : reach[offset + before]!;
    const startY = step === 0 ? 0 : startX - before;
    while (x > startX && y > startY) kept.push([--x, --y]);
    [x, y] = [startX, startY];
  }
  return kept.reverse();
}

/** Changes whose surroundings touch share a hunk. */
function grouped(edits: Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    if (last && edit.from - last.to <= 2 * context) groups.at(-1)!.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function hunk(group: Edit[], old: string[], fresh: string[]): string {
  const [first, last] = [group[0]!, group.at(-1)!];
  const start = Math.max(0, first.from - context);
  const stop = Math.min(old.length, last.to + context);
  const shift = first.into - first.from;
  const lines: string[] = [];
  let at = start;
  for (const edit of group) {
    for (; at < edit.from; at++) lines.push(` ${old[at]}`);
    for (; at < edit.to; at++) lines.push(`-${old[at]}`);
    for (let into = edit.into; into < edit.end; into++) lines.push(`+${fresh[into]}`);
  }
  for (; at < stop; at++) lines.push(` ${old[at]}`);
  const newCount =
    stop - start + group.reduce((sum, edit) => sum + (edit.end - edit.into) - (edit.to - edit.from), 0);
  const body = lines
    .map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`))
    .join('');
  return `@@ -${range(start, stop - start)} +${range(start + shift, newCount)} @@\n${body}`;
}

const range = (start: number, count: number): string => {
  const line = count === 0 ? start : start + 1;
  return count === 1 ? `${line}` : `${line},${count}`;
};
