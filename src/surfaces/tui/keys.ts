import { matchesKey } from '@earendil-works/pi-tui';
import type { createScreen } from './screen.ts';
import type { Terminal } from './terminal.ts';

const againMs = 2000;

/** Keys that are not the editor's. Answers true for one that was taken. */
export function createKeys({
  terminal,
  screen,
  onPage,
  edit,
  leave,
  now = Date.now,
}: {
  terminal: Terminal;
  screen: Pick<ReturnType<typeof createScreen>, 'editor' | 'say' | 'setDraft'>;
  /** Opens a page: help, needs, runs. */
  onPage(name: string): void;
  edit(): void;
  leave(): void;
  now?: () => number;
}): (key: string) => boolean {
  let firstAt = Number.NEGATIVE_INFINITY;

  const interrupt = () => {
    const text = screen.editor.getExpandedText();
    if (now() - firstAt < againMs) return leave();
    firstAt = now();
    if (text !== '') {
      // Cleared, not lost: Up brings it back.
      screen.editor.addToHistory(text);
      terminal.setAside(text);
      screen.setDraft('');
    } else if (terminal.interrupt()) return screen.say('Stopping. Ctrl-C again leaves.', againMs);
    const runs = terminal.team.carriedCount();
    const stops =
      runs > 0 ? `${runs} at work here stop without loss: /run resume.` : 'Everything stays as it is.';
    screen.say(`Ctrl-C again leaves. ${stops}`, againMs);
  };

  return (key) => {
    if (matchesKey(key, 'ctrl+c')) {
      interrupt();
      return true;
    }
    screen.say('');
    const isEmpty = screen.editor.getText() === '';
    if (matchesKey(key, 'ctrl+d') && isEmpty) leave();
    else if (key === '?' && isEmpty) onPage('help');
    else if (matchesKey(key, 'ctrl+n')) onPage('needs');
    else if (matchesKey(key, 'ctrl+r')) onPage('runs');
    else if (matchesKey(key, 'ctrl+g')) edit();
    else if (matchesKey(key, 'ctrl+t')) terminal.newTab();
    else if (matchesKey(key, 'escape') && !screen.editor.isShowingAutocomplete()) return terminal.interrupt();
    else {
      const tab = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((number) => matchesKey(key, `alt+${number}` as 'alt+1'));
      if (tab === undefined) return false;
      terminal.goTo(tab - 1);
    }
    return true;
  };
}
