/** The lines we add to a git hook, between marks by which they are found and removed. */
export const beginMark = '# sylk:begin';
export const endMark = '# sylk:end';
const block = /^# sylk:begin.*\r?\n[\s\S]*?^# sylk:end.*(?:\r?\n|$)/gm;

export const indexHooks = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite'] as const;
export const messageHook = 'prepare-commit-msg';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Leaves a marker and returns at once. The process with the lock reads new commits in the background, as long as
 * markers keep coming; the lock of a killed process expires after two minutes. Programs are those of the system (`command -p`):
 * a relative PATH would lead into the clone.
 */
export function indexBlock(launcher: string, runDirectory: string): string {
  return `${beginMark} (sylk hooks uninstall git removes these lines)
sylk_run=${quoted(runDirectory)}
sylk_bin=${quoted(launcher)}
if [ -x "$sylk_bin" ] && { [ -d "$sylk_run" ] || command -p mkdir "$sylk_run" 2>/dev/null; }; then
  : > "$sylk_run/index.wanted"
  [ -n "$(command -p find "$sylk_run/index.lock" -prune -mmin +2 2>/dev/null)" ] && command -p rmdir "$sylk_run/index.lock" 2>/dev/null
  if command -p mkdir "$sylk_run/index.lock" 2>/dev/null; then
    (
      sylk_turn=0
      while [ -e "$sylk_run/index.wanted" ] && [ $sylk_turn -lt 20 ]; do
        command -p rm -f "$sylk_run/index.wanted"
        "$sylk_bin" call index_history '{"max_seconds":60}' --quiet
        sylk_turn=$((sylk_turn + 1))
      done
      command -p rmdir "$sylk_run/index.lock"
    ) </dev/null >/dev/null 2>&1 &
  fi
fi
${endMark}
`;
}

/** Never blocks a commit. Adds a tags: line from components and the current task; an existing line wins. */
export function messageBlock(launcher: string): string {
  return `${beginMark} (sylk hooks uninstall git removes these lines)
sylk_bin=${quoted(launcher)}
if [ -x "$sylk_bin" ] && [ "$2" != merge ] && [ "$2" != squash ]; then
  sylk_tags=$("$sylk_bin" commit-tags --quiet </dev/null 2>/dev/null) || sylk_tags=
  if [ -n "$sylk_tags" ]; then
    git interpret-trailers --in-place --if-exists doNothing --trailer "tags: $sylk_tags" "$1" || :
  fi
fi
${endMark}
`;
}

/** Runs the previous hook, if git would have run it. */
export const chainText = (lines: string, kept: string): string =>
  `#!/bin/sh\n${lines}[ -x "\${0%/*}/${kept}" ] && exec "\${0%/*}/${kept}" "$@"\nexit 0\n`;

export const withoutBlock = (text: string): string => text.replace(block, '');
export const hasBlock = (text: string): boolean => withoutBlock(text) !== text;

/** True for a POSIX shell script: our lines can be inserted. */
export const isShellScript = (text: string): boolean => /^#!.*\b(?:sh|bash|dash|zsh|ksh)\b/.test(text);

/** After the first line, before anything that may end the script. */
export function insertBlock(text: string, lines: string): string {
  const end = text.indexOf('\n') + 1;
  return end === 0 ? `${text}\n${lines}` : text.slice(0, end) + lines + text.slice(end);
}
