/**
 * A reader that closed its end wants no more: nothing is said, and the work goes on to its end. Any other failure to
 * write the answer is told once, and the process ends with 6.
 */
export function tellLostOutput(): void {
  let told = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || told) return;
    told = true;
    process.stderr.write(
      `error: The answer could not be written to standard output (${error.code}).\nhint:  Free some space, or write it elsewhere; then run the same command again.\n`,
    );
    process.once('exit', () => {
      process.exitCode = 6;
    });
  });
  process.stderr.on('error', () => {});
}
