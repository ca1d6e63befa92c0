import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';

const sample = z.object({
  name: z.string(),
  about: z.string(),
  kind: z.enum(['gauge', 'counter']),
  labels: z.record(z.string(), z.string()),
  value: z.number(),
});
type Sample = z.output<typeof sample>;

export const getMetrics = operation({
  name: 'get_metrics',
  summary:
    'Figures of runs, commands and this process, as Prometheus reads them. A server has them at /metrics.',
  effect: 'read',
  input: z.object({
    process: looseBoolean.default(false).describe('also memory and processor time of this process'),
  }),
  output: z.object({ samples: z.array(sample) }),
  examples: [{}],
  command: { positionals: [] },
  render: ({ samples }) => expositionOf(samples),
  run: async ({ process: isProcess }, { app }) => {
    const { runs, commands, late, oldest, waiting, holders } = await (await app.runs()).counts();
    return {
      samples: [
        ...runs.map(({ status, count }) => of('gauge', 'runs', 'Runs by status.')(count, { status })),
        ...commands.map(({ kind, status, count }) =>
          of('gauge', 'commands', 'Commands of runs by kind and status.')(count, { kind, status }),
        ),
        of('gauge', 'commands_waiting', 'Commands that no worker has yet.')(waiting),
        of('gauge', 'oldest_waiting_seconds', 'How long the oldest of them has waited.')(oldest / 1000),
        of('gauge', 'workers_busy', 'Workers that have a command.')(holders),
        of(
          'counter',
          'late_answers_total',
          'Answers of workers that were taken over; none has an effect.',
        )(late),
        ...(isProcess ? processSamples() : []),
      ],
    };
  },
});

const of =
  (kind: Sample['kind'], name: string, about: string) =>
  (value: number, labels = {}): Sample => ({ kind, about, labels, value, name: `sylk_${name}` });

function processSamples(): Sample[] {
  const { user, system } = process.cpuUsage();
  return [
    of('gauge', 'process_resident_bytes', 'Memory of this process.')(process.memoryUsage.rss()),
    of('counter', 'process_cpu_seconds_total', 'Processor time of this process.')((user + system) / 1e6),
    of('gauge', 'process_uptime_seconds', 'How long this process has run.')(process.uptime()),
  ];
}

const escaped = (text: string): string => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

function expositionOf(samples: Sample[]): string {
  const lines = [...Map.groupBy(samples, ({ name }) => name)].flatMap(([name, all]) => [
    `# HELP ${name} ${all[0]?.about}`,
    `# TYPE ${name} ${all[0]?.kind}`,
    ...all.map(({ labels, value }) => {
      const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
