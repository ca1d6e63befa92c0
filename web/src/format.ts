const units: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const toDate = (at: string | number): Date => new Date(typeof at === 'number' && at < 1e12 ? at * 1000 : at);

export function ago(at: string | number): string {
  const seconds = (toDate(at).getTime() - Date.now()) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
}

export const exactTime = (at: string | number): string => toDate(at).toLocaleString();

export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KiB`;
  return `${(size / 1024 ** 2).toFixed(1)} MiB`;
}

/** A constant such as `REFERENCE_TOPIC_CREATE` as the beginning of a sentence. */
export const sentence = (kind: string): string => {
  const words = kind.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** What an approval asks, without the words for a terminal. */
export const askedFor = (prompt: string): string => firstLine(prompt).replace(/ Approve \/ Deny$/, '');
