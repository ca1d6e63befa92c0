import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Page, Pill, Time } from '../components/states.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

type Report = Output<'last_checks'>['checks'][number]['report'];

const verdicts = {
  passed: ['good', 'passed'],
  failed: ['bad', 'broken by the change'],
  unsure: ['warn', 'not sure'],
} as const;

/** What the last checks found. Checks are run by `sylk check` or an agent: this page runs nothing. */
export default function Checks() {
  const last = useOperation('last_checks', { limit: 20 }, { everyMs: 5000 });
  return (
    <Page title="Checks" lead="What changes broke, judged by the project's own tools.">
      <Loaded query={last} what="checks">
        {({ checks: [newest, ...older] }) =>
          newest ? (
            <div className="stack">
              <Newest at={newest.at} report={newest.report} />
              {older.length === 0 ? null : (
                <Card title="Earlier">
                  <ul className="rows">
                    {older.map(({ at, report }) => (
                      <li key={at}>
                        <Verdict report={report} />
                        <span className="row-main">{summaryOf(report)}</span>
                        <span className="muted">
                          <Time at={at} />
                        </span>
                      </li>
                    ))}
                  </ul>
                </Card>
              )}
            </div>
          ) : (
            <Notice title="Nothing was checked yet">
              Run <code>sylk check</code> in the repository. It tells what a change broke, apart from what was
              broken before.
            </Notice>
          )
        }
      </Loaded>
    </Page>
  );
}

function Verdict({ report: { verdict } }: { report: Report }) {
  const [tone, text] = verdicts[verdict];
  return <Pill tone={tone}>{text}</Pill>;
}

const summaryOf = ({ changed_files, findings, broken_tests, gates, review }: Report): string =>
  [
    count(changed_files, 'file'),
    count(findings.length, 'finding'),
    count(broken_tests.length, 'broken test'),
    count(gates.filter(({ status }) => status === 'failed').length, 'failed tool'),
    `${review.length} to look at`,
  ].join(', ');

function Newest({ at, report }: { at: string; report: Report }) {
  const failed = report.gates.filter(({ status }) => status === 'failed');
  const ran = report.gates.filter(({ status }) => status !== 'failed');
  return (
    <>
      <Card title="Last check" aside={<Verdict report={report} />}>
        <p className="meta">
          {count(report.changed_files, 'changed file')}, compared with{' '}
          {report.base.label.replaceAll(/\b[0-9a-f]{40}\b/g, (hash) => hash.slice(0, 10))}, {report.seconds}{' '}
          s, <Time at={at} />
        </p>
        <Rows
          items={ran}
          show={({ tool, category, directory, new: fresh, before, tests_run, seconds }) => (
            <>
              <Pill tone={fresh === 0 ? 'good' : 'bad'}>{fresh === 0 ? 'clean' : `${fresh} new`}</Pill>
              <span className="row-main">
                <strong>{tool}</strong>
                <span className="muted">
                  {category.replace('_', ' ')}
                  {directory ? ` in ${directory}` : ''}
                  {tests_run === undefined ? '' : `, ${count(tests_run, 'test')}`}
                  {before > 0 ? `, ${before} from before` : ''}
                </span>
              </span>
              <span className="muted">{seconds} s</span>
            </>
          )}
        />
      </Card>
      <Section title="Tools that failed" items={failed} lead="They judged nothing.">
        {({ tool, problem }) => (
          <span className="row-main">
            <strong>{tool}</strong> <span>{problem}</span>
          </span>
        )}
      </Section>
      <Section title="Broken tests" items={report.broken_tests}>
        {({ id, file, message }) => (
          <span className="row-main">
            <strong>{id}</strong> <Where file={file} />
            <span className="muted">{message?.split('\n')[0]}</span>
          </span>
        )}
      </Section>
      <Section title="New findings" items={report.findings}>
        {({ tool, rule, severity, message, file, line }) => (
          <>
            <Pill tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</Pill>
            <span className="row-main">
              <span>{message}</span> <Where file={file} line={line} />
              <span className="muted">
                {tool} {rule}
              </span>
            </span>
          </>
        )}
      </Section>
      <Section title="For a person to look at" items={report.review} lead="Changes to what judges changes.">
        {({ message, file, line }) => (
          <span className="row-main">
            <span>{message}</span> <Where file={file} line={line} />
          </span>
        )}
      </Section>
      <Section title="Tests that waver" items={report.flaky_tests}>
        {({ id, seen }) => (
          <span className="row-main">
            {id} <span className="muted">seen {count(seen, 'time')}</span>
          </span>
        )}
      </Section>
      <Section title="Not judged" items={[...report.not_run, ...report.notes]}>
        {(text) => <span className="row-main">{text}</span>}
      </Section>
    </>
  );
}

const mostShown = 100;

function Rows<Item>({ items, show }: { items: Item[]; show: (item: Item) => ReactNode }) {
  return (
    <ul className="rows">
      {items.slice(0, mostShown).map((item, at) => (
        <li key={at}>{show(item)}</li>
      ))}
      {items.length > mostShown ? <li className="muted">and {items.length - mostShown} more</li> : null}
    </ul>
  );
}

function Section<Item>(props: {
  title: string;
  lead?: string;
  items: Item[];
  children: (item: Item) => ReactNode;
}) {
  if (props.items.length === 0) return null;
  return (
    <Card title={props.title} aside={<span className="muted">{props.items.length}</span>}>
      {props.lead ? <p className="meta">{props.lead}</p> : null}
      <Rows items={props.items} show={props.children} />
    </Card>
  );
}

function Where({ file, line }: { file?: string | undefined; line?: number | undefined }) {
  if (!file) return null;
  return (
    <Link href={links.artifact(file, { line })}>
      {file}
      {line === undefined ? '' : `:${line}`}
    </Link>
  );
}
