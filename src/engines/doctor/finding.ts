/** One thing that was looked at. `problem` always carries a `fix`; `note` is worth knowing and harms nothing yet. */
export interface Finding {
  id: string;
  title: string;
  state: 'ok' | 'note' | 'problem' | 'fixed';
  detail: string;
  /** What to do, as a command or one sentence. */
  fix?: string;
}

/** A finding that can be put right without asking: nothing that a person or an agent wrote is touched. */
export interface Repairable extends Finding {
  repair?: () => string | Promise<string>;
}

export const ok = (id: string, title: string, detail: string): Repairable => ({
  id,
  title,
  state: 'ok',
  detail,
});

export const note = (id: string, title: string, detail: string, fix?: string): Repairable => ({
  id,
  title,
  state: 'note',
  detail,
  fix: fix || undefined,
});

export const problem = (
  id: string,
  title: string,
  detail: string,
  fix: string,
  repair?: Repairable['repair'],
): Repairable => ({ id, title, state: 'problem', detail, fix, repair });
