/** Callbacks for each commit while git's output streams by. Bytes are valid during the call only. */
export interface RawSink {
  header(commit: RawHeader, message: Buffer): void;
  /** `from` is the old path of a rename. */
  change(kind: ChangeKind, path: Buffer, from: Buffer | undefined): void;
  /** A submodule entry: its content is another repository. */
  gitlink(): void;
  /** All changes of the last header were reported. */
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

export const changeKinds = { modified: 0, added: 1, deleted: 2, renamed: 3 } as const;
export type ChangeKind = (typeof changeKinds)[keyof typeof changeKinds];

/** The format that the parser reads: NUL-terminated fields, the message last. */
export const headerFormat = '--format=%H%x00%P%x00%aN%x00%aE%x00%at %ct%x00%B';

/**
 * Reads `git diff-tree --stdin --always --raw -z` as bytes, token by token. Paths and messages may contain anything but
 * NUL, so the NUL-separated sequence is never ambiguous.
 */
export function createRawParser(sink: RawSink) {
  let rest: Buffer = Buffer.alloc(0);
  let open = false;
  /** Of the current header. */
  let fields: Buffer[] = [];
  let change: { kind: ChangeKind; gitlink: boolean; from?: Buffer } | undefined;
  const finish = () => {
    if (open) sink.done();
    open = false;
  };
  const headerField = (bytes: Buffer) => {
    const [sha, parents, name, email, dates] = fields;
    if (!sha || !parents || !name || !email || !dates) return void fields.push(bytes);
    fields = [];
    open = true;
    const [authored, committed] = dates.toString('latin1').split(' ');
    sink.header(
      {
        sha: sha.toString('latin1'),
        parents: parents.toString('latin1'),
        name: name.toString('utf8'),
        email: email.toString('utf8'),
        authored: Number(authored) || 0,
        committed: Number(committed) || 0,
      },
      bytes,
    );
  };
  const token = (bytes: Buffer) => {
    if (fields.length > 0) return headerField(bytes);
    if (change) {
      const { kind, gitlink, from } = change;
      if (kind === changeKinds.renamed && !from) {
        change.from = bytes;
        return;
      }
      change = undefined;
      return gitlink ? sink.gitlink() : sink.change(kind, bytes, from);
    }
    const start = bytes[0] === 0x0a ? bytes.subarray(1) : bytes;
    if (start.length === 0) return;
    if (start[0] === 0x3a) {
      change = statusOf(start.toString('latin1'));
      return;
    }
    finish();
    fields = [start];
  };
  return {
    push(chunk: Buffer): void {
      const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let start = 0;
      for (let end = buffer.indexOf(0); end >= 0; end = buffer.indexOf(0, start)) {
        token(buffer.subarray(start, end));
        start = end + 1;
      }
      rest = buffer.subarray(start);
    },
    /** False when the output ended in the middle of a commit. */
    end(): boolean {
      const whole = fields.length === 0 && !change && rest.length === 0;
      finish();
      return whole;
    },
  };
}

const kindOfLetter: Record<string, ChangeKind> = { R: 3, A: 1, C: 1, D: 2 };

/** `:mode mode sha sha STATUS` of one parent, or `::…` with a mode and a letter for each parent of a merge. */
function statusOf(text: string): { kind: ChangeKind; gitlink: boolean } {
  const parents = text.lastIndexOf(':') + 1;
  const gitlink = text.slice(parents, parents + 7 * (parents + 1)).includes('160000');
  if (parents === 1) {
    const letter = /([A-Z])\d*$/.exec(text)?.[1] ?? '';
    return { kind: kindOfLetter[letter] ?? changeKinds.modified, gitlink };
  }
  const letters = new Set(text.slice(-parents));
  const [only = ''] = letters;
  const kind = letters.size === 1 && /[AD]/.test(only) ? kindOfLetter[only] : undefined;
  return { kind: kind ?? changeKinds.modified, gitlink };
}
