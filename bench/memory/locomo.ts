import { readFileSync } from 'node:fs';
import type { QuestionSet, Unit } from './question-set.ts';

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

interface Sample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: Array<{ question: string; category: number; evidence?: string[] }>;
}

/** Questions of this kind ask for what was never said; there is nothing to find. */
const adversarial = 5;

/** The ten conversations of LoCoMo (`locomo10.json`): what was said by turns, or by sittings of many turns. */
export function readLocomo(path: string, level: 'turn' | 'session'): QuestionSet[] {
  const samples = JSON.parse(readFileSync(path, 'utf8')) as Sample[];
  return samples.map(({ sample_id, conversation, qa }) => {
    const sittings = Object.keys(conversation)
      .map((key) => /^session_(\d+)$/.exec(key)?.[1])
      .filter((number) => number !== undefined)
      .map((number) => ({
        number,
        at: momentOf(String(conversation[`session_${number}_date_time`])),
        turns: conversation[`session_${number}`] as Turn[],
      }))
      .sort((one, two) => Number(one.number) - Number(two.number));
    const units: Unit[] = sittings.flatMap(({ number, at, turns }) =>
      level === 'session'
        ? [{ id: `D${number}`, text: turns.map(textOf).join('\n'), at, session: `D${number}` }]
        : turns.map((turn, index) => ({
            id: turn.dia_id,
            text: textOf(turn),
            at: at + index * 30_000,
            session: `D${number}`,
          })),
    );
    const known = new Set(units.map(({ id }) => id));
    const questions = qa
      .filter(({ category }) => category !== adversarial)
      .map(({ question, category, evidence = [] }) => {
        const named = evidence.flatMap((line) => line.match(/D\d+:\d+/g) ?? []);
        const gold = named.map((id) => (level === 'session' ? id.split(':')[0]! : id));
        return {
          question,
          kind: kinds[category] ?? 'other',
          gold: new Set(gold.filter((id) => known.has(id))),
        };
      })
      .filter(({ gold }) => gold.size > 0);
    return { name: sample_id, units, questions };
  });
}

const kinds: Record<number, string> = { 1: 'several turns', 2: 'time', 3: 'open', 4: 'one turn' };

const textOf = ({ speaker, text, blip_caption }: Turn): string =>
  `${speaker}: ${text}${blip_caption ? ` [shows ${blip_caption}]` : ''}`;

/** "1:56 pm on 8 May, 2023" */
function momentOf(text: string): number {
  const [, hour, minute, half, day] = /(\d+):(\d+) (am|pm) on (.+)/i.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  return Date.parse(`${day?.replace(',', '')} UTC`) + hours * 3_600_000 + Number(minute) * 60_000;
}
