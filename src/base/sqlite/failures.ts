/** Result codes of SQLite that the product reacts to. Extended codes carry the primary one in the low byte. */
const primary = (error: unknown): number => {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code & 0xff : 0;
};

export const isBusy = (error: unknown): boolean => primary(error) === 5 || primary(error) === 6;
export const isDamaged = (error: unknown): boolean => primary(error) === 11 || primary(error) === 26;
export const isConstraint = (error: unknown): boolean => primary(error) === 19;
