/** What is told about each commit while git's output streams by. Byte ranges are valid during the call only. */
export interface RawSink {
  header(commit: RawHeader, buffer: Buffer, messageStart: number, messageEnd: number): void;
  /** `from` is empty (start = end) except for a rename. */
  change(kind: ChangeKind, buffer: Buffer, range: ChangeRange): void;
  /** A submodule entry: its content is another repository. */
  gitlink(buffer: Buffer, start: number, end: number): void;
  /** All changes of the last header were told. */
  done(): void;
}

export interface RawHeader {
  sha: string;
  parents: string;
  name: string;
  email: string;
  authored: number;
  committed: number;
}

export interface ChangeRange {
  start: number;
  end: number;
  fromStart: number;
  fromEnd: number;
}

export const changeKinds = { modified: 0, added: 1, deleted: 2, renamed: 3 } as const;
export type ChangeKind = (typeof changeKinds)[keyof typeof changeKinds];

/** The format whose output the parser reads: NUL-terminated fields, the message last. */
export const headerFormat = '--format=%H%x00%P%x00%aN%x00%aE%x00%at %ct%x00%B';

const field = { sha: 0, parents: 1, name: 2, email: 3, dates: 4, message: 5, path: 6, target: 7 };

/**
 * Reads `git diff-tree --stdin --always --raw -z` as bytes, token by token. Paths and messages may hold anything but
 * NUL, so the NUL-separated sequence is never ambiguous.
 */
export function createRawParser(sink: RawSink) {
  let rest: Buffer = Buffer.alloc(0);
  let expect = field.sha;
  let open = false;
  const header: RawHeader = { sha: '', parents: '', name: '', email: '', authored: 0, committed: 0 };
  const range: ChangeRange = { start: 0, end: 0, fromStart: 0, fromEnd: 0 };
  let kind: ChangeKind = changeKinds.modified;
  let gitlink = false;
  let renameFrom: Buffer | undefined;

  const finish = () => {
    if (open) sink.done();
    open = false;
  };
  const token = (buffer: Buffer, start: number, end: number) => {
    switch (expect) {
      case field.sha: {
        if (buffer[start] === 0x0a) start++;
        if (start >= end) return;
        if (buffer[start] === 0x3a) {
          const status = statusOf(buffer, start, end);
          kind = status.kind;
          gitlink = status.gitlink;
          expect = field.path;
          return;
        }
        finish();
        header.sha = buffer.toString('latin1', start, end);
        expect = field.parents;
        return;
      }
      case field.parents:
        header.parents = buffer.toString('latin1', start, end);
        expect = field.name;
        return;
      case field.name:
        header.name = buffer.toString('utf8', start, end);
        expect = field.email;
        return;
      case field.email:
        header.email = buffer.toString('utf8', start, end);
        expect = field.dates;
        return;
      case field.dates: {
        const [authored, committed] = buffer.toString('latin1', start, end).split(' ');
        header.authored = Number(authored) || 0;
        header.committed = Number(committed) || 0;
        expect = field.message;
        return;
      }
      case field.message:
        open = true;
        expect = field.sha;
        sink.header(header, buffer, start, end);
        return;
      case field.path:
        if (kind === changeKinds.renamed) {
          renameFrom = Buffer.from(buffer.subarray(start, end));
          expect = field.target;
          return;
        }
        expect = field.sha;
        if (gitlink) return sink.gitlink(buffer, start, end);
        range.start = start;
        range.end = end;
        range.fromStart = range.fromEnd = 0;
        return sink.change(kind, buffer, range);
      default: {
        expect = field.sha;
        if (gitlink) return sink.gitlink(buffer, start, end);
        // Both names in one buffer, so that the sink has one range to look at.
        const both = Buffer.concat([renameFrom!, buffer.subarray(start, end)]);
        range.fromStart = 0;
        range.fromEnd = renameFrom!.length;
        range.start = renameFrom!.length;
        range.end = both.length;
        return sink.change(kind, both, range);
      }
    }
  };
  return {
    push(chunk: Buffer): void {
      const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let start = 0;
      for (;;) {
        const end = buffer.indexOf(0, start);
        if (end < 0) break;
        token(buffer, start, end);
        start = end + 1;
      }
      rest = start < buffer.length ? buffer.subarray(start) : Buffer.alloc(0);
    },
    /** False when the output stopped in the middle of a commit. */
    end(): boolean {
      const whole = expect === field.sha && rest.length === 0;
      finish();
      return whole;
    },
  };
}

/** `:mode mode sha sha STATUS` of one parent, or `::…` with a mode and a letter for each parent of a merge. */
function statusOf(buffer: Buffer, start: number, end: number): { kind: ChangeKind; gitlink: boolean } {
  let colons = 1;
  while (buffer[start + colons] === 0x3a) colons++;
  const modes = buffer.toString('latin1', start + colons, start + colons + 7 * (colons + 1));
  const gitlink = modes.includes('160000');
  if (colons > 1) {
    const letters = buffer.toString('latin1', end - colons, end);
    const all = (letter: string) => letters === letter.repeat(colons);
    return { kind: all('A') ? changeKinds.added : all('D') ? changeKinds.deleted : 0, gitlink };
  }
  for (let at = end - 1; at > start; at--) {
    const byte = buffer[at]!;
    if (byte >= 0x30 && byte <= 0x39) continue;
    if (byte === 0x52) return { kind: changeKinds.renamed, gitlink };
    if (byte === 0x41 || byte === 0x43) return { kind: changeKinds.added, gitlink };
    if (byte === 0x44) return { kind: changeKinds.deleted, gitlink };
    break;
  }
  return { kind: changeKinds.modified, gitlink };
}
