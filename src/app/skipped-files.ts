import { isWithin, onSkippedFile } from '../base/files/index.ts';

/**
 * Listens from the start for files below these roots that were left out because of what they are. What was skipped
 * while opening is told once there is somebody to tell, and every file once.
 */
export function openNotingSkippedFiles<T>(
  roots: string[],
  open: () => T,
): [opened: T, tellSkipped: (notice: (line: string) => void) => () => void] {
  const messages = new Set<string>();
  let tell: ((line: string) => void) | undefined;
  const stop = onSkippedFile(({ path, message }) => {
    if (messages.has(message) || !roots.some((root) => isWithin(root, path))) return;
    messages.add(message);
    tell?.(message);
  });
  try {
    const tellSkipped = (notice: (line: string) => void) => {
      tell = notice;
      for (const message of messages) notice(message);
      return stop;
    };
    return [open(), tellSkipped];
  } catch (error) {
    stop();
    throw error;
  }
}
