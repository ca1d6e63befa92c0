import { once } from '../once.ts';

/** A stretch of time that a text names: "last month", "since Monday", "recently". */
export interface TimeScope {
  /** The phrase in snake_case, so that two ways of writing it are one: `last_month`, `3_days_ago`. */
  name: string;
  /** As it stood in the text. */
  phrase: string;
  /** Milliseconds since the epoch; `to` is not part of it. */
  from: number;
  to: number;
}

interface Day {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const count = `(\\d{1,3}|a|an|${numbers.slice(1).join('|')}|couple of|few|several)`;
const monthName = `(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
const weekdayName = `(${weekdays.join('|')})`;
const unit = '(minute|hour|day|week|sprint|month|quarter|year)s?';
/** How far back "recently" reaches. */
const recentDays = 7;

type Range = [from: number, to: number];
type Reading = (match: RegExpExecArray, today: Day, now: number) => Range | undefined;

/** The first that matches counts, so the longer phrases come first. Days and weeks are those of this machine's calendar. */
const readings: Array<[() => RegExp, Reading]> = [
  [phrase('(since|after|on|in|from)?\\s*(\\d{4})-(\\d{2})(?:-(\\d{2}))?'), readDate],
  [
    phrase(`(?:in |over |during )?(?:the )?(?:last|past|previous) ${count} ${unit}`),
    ([, howMany, unitWord], _, now) => [now - span(howMany, unitWord), now],
  ],
  [phrase(`${count} ${unit} (?:ago|back)`), readAgo],
  [phrase('(?:the )?day before yesterday'), (_, today) => days(today, -2, -1)],
  [phrase("yesterday(?:'s)?|last night"), (_, today) => days(today, -1, 0)],
  [
    phrase("today(?:'s)?|this (?:morning|afternoon|evening)|tonight|overnight"),
    (_, today, now) => [days(today, 0, 1)[0], now],
  ],
  [phrase(`(?:in |over |during )?(?:the )?(this|last|previous|past) ${unit}(?:'s)?`), readCalendar],
  [phrase(`since ${weekdayName}`), ([, name], today, now) => [lastWeekday(today, name)[0], now]],
  [phrase(`(?:on |last )${weekdayName}(?:'s)?`), ([, name], today) => lastWeekday(today, name)],
  [phrase(`since ${monthName}(?: (\\d{4}))?`), (match, today, now) => [lastMonth(today, match)[0], now]],
  [
    phrase(`(?:in |during |back in |last )${monthName}(?: (\\d{4}))?`),
    (match, today) => lastMonth(today, match),
  ],
  [
    phrase('(?:in|last|this|back in) (spring|summer|autumn|fall|winter)'),
    ([, name], today) => lastSeason(today, name),
  ],
  [
    phrase('recent(?:ly)?|lately|of late|these days|the other day'),
    (_, today, now) => [days(today, -recentDays, 0)[0], now],
  ],
];

/** Names that differ from their phrase. */
const sameAs: Record<string, string> = {
  recent: 'recently',
  lately: 'recently',
  of_late: 'recently',
  these_days: 'recently',
  the_other_day: 'recently',
  last_night: 'yesterday',
  tonight: 'today',
  overnight: 'today',
};

/** The stretch of time that a text names, if it names one. "before" and "previously" name none. */
export function timeScopeOf(text: string, now: number): TimeScope | undefined {
  const today = dayOf(now);
  for (const [pattern, read] of readings) {
    const match = pattern().exec(text);
    const range = match && read(match, today, now);
    if (!match || !range) continue;
    const name = match[0]
      .trim()
      .toLowerCase()
      .replace(/'s$/, '')
      .replace(/^(?:(?:in|over|during|the|on|back) )+/, '')
      .replace(/\W+/g, '_');
    return { name: sameAs[name] ?? name, phrase: match[0].trim(), from: range[0], to: range[1] };
  }
  return undefined;
}

/** The last moment of a stretch of time: its end is not part of it, but what happens right now is. */
export const lastMomentOf = ({ to }: Pick<TimeScope, 'to'>, now: number): number => (to < now ? to - 1 : to);

/** The text without the words that only say when. */
export function withoutTime(text: string): string {
  return readings.reduce((rest, [pattern]) => rest.replace(pattern(), ' '), text);
}

/** Made when first asked for: most processes never read a time, and these take milliseconds to make. */
function phrase(source: string): () => RegExp {
  // Case is ignored within the phrase only: V8 takes milliseconds to fold the class of all letters.
  return once(() => new RegExp(`(?<![\\p{L}\\p{N}_])(?i:${source})(?![\\p{L}\\p{N}_])`, 'u'));
}

function dayOf(now: number): Day {
  const date = new Date(now);
  return { year: date.getFullYear(), month: date.getMonth(), day: date.getDate(), weekday: date.getDay() };
}

const midnight = (year: number, month: number, day: number): number => new Date(year, month, day).getTime();
const days = ({ year, month, day }: Day, from: number, to: number): Range => [
  midnight(year, month, day + from),
  midnight(year, month, day + to),
];

const milliseconds = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  sprint: 1_209_600_000,
  month: 2_592_000_000,
  quarter: 7_862_400_000,
  year: 31_536_000_000,
};
const lengths = new Map(Object.entries(milliseconds));
const lengthOf = (unitWord = ''): number => lengths.get(unitWord.toLowerCase()) ?? milliseconds.day;

function amount(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  if (/^an?$/i.test(word)) return 1;
  if (/couple/i.test(word)) return 2;
  const spelled = numbers.indexOf(word.toLowerCase());
  return spelled > 0 ? spelled : 3;
}

const span = (howMany = '', unitWord = ''): number => amount(howMany) * lengthOf(unitWord);

/** "three weeks ago" is the week around that day; an hour or a day ago is that hour or day. */
function readAgo(match: RegExpExecArray, _: Day, now: number): Range {
  const [, howMany, unitWord] = match;
  const at = now - span(howMany, unitWord);
  const around = lengthOf(unitWord) / 2;
  return [at - around, Math.min(now, at + around)];
}

function readCalendar([, word, unitWord = '']: RegExpExecArray, today: Day, now: number): Range | undefined {
  const back = word?.toLowerCase() === 'this' ? 0 : 1;
  const { year, month } = today;
  const sinceMonday = (today.weekday + 6) % 7;
  const quarter = Math.floor(month / 3) * 3;
  const ranges: Record<string, Range> = {
    minute: [now - milliseconds.minute, now],
    hour: [now - milliseconds.hour, now],
    day: days(today, -back, 1 - back),
    week: days(today, -sinceMonday - 7 * back, -sinceMonday - 7 * back + 7),
    sprint: [now - milliseconds.sprint * (back + 1), now - milliseconds.sprint * back],
    month: [midnight(year, month - back, 1), midnight(year, month - back + 1, 1)],
    quarter: [midnight(year, quarter - 3 * back, 1), midnight(year, quarter - 3 * back + 3, 1)],
    year: [midnight(year - back, 0, 1), midnight(year - back + 1, 0, 1)],
  };
  const range = ranges[unitWord.toLowerCase()];
  return range && [range[0], Math.min(now, range[1])];
}

function lastWeekday(today: Day, name = ''): Range {
  const back = (today.weekday - weekdays.indexOf(name.toLowerCase()) + 7) % 7 || 7;
  return days(today, -back, 1 - back);
}

function lastMonth(today: Day, [, word = '', given]: RegExpExecArray): Range {
  const month = months.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)));
  const usual = month > today.month ? today.year - 1 : today.year;
  const year = given ? Number(given) : usual;
  return [midnight(year, month, 1), midnight(year, month + 1, 1)];
}

/** Seasons of the calendar; which half of the earth it is cannot be known from a text. */
function lastSeason(today: Day, name = ''): Range {
  const start =
    [/spring/i, /summer/i, /autumn|fall/i, /winter/i].findIndex((season) => season.test(name)) * 3 + 2;
  const year = start > today.month ? today.year - 1 : today.year;
  return [midnight(year, start, 1), midnight(year, start + 3, 1)];
}

function readDate(match: RegExpExecArray, _: Day, now: number): Range | undefined {
  const [, word = '', year, month, day] = match;
  if (Number(month) < 1 || Number(month) > 12 || Number(day ?? 1) > 31) return undefined;
  const from = midnight(Number(year), Number(month) - 1, Number(day ?? 1));
  const to = day
    ? midnight(Number(year), Number(month) - 1, Number(day) + 1)
    : midnight(Number(year), Number(month), 1);
  return /since|after|from/i.test(word) ? [from, now] : [from, to];
}
