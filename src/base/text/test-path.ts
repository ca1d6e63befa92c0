const testMark = /(?:^|[./_-])(?:tests?|specs?|__tests__|testing)(?:[./_-]|$)/i;

/** Whether a file is a test, or helps tests, by its name and its folders. */
export const isTestPath = (path: string): boolean => testMark.test(path);
