/** Text that stands for itself within a pattern. */
export const quoteForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
