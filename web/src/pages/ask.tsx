import { Link, useSearchParams } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { QuestionForm } from '../components/question-form.tsx';
import { Loaded, Notice, Page, Pill } from '../components/states.tsx';
import { links, refLink } from '../links.ts';

type Answer = Output<'ask'>;
type Citation = Answer['citations'][number];

export default function Ask() {
  const [params] = useSearchParams();
  const question = params.get('q') ?? '';
  return (
    <Page title="Ask">
      <QuestionForm key={question} asked={question} />
      {question === '' ? <Examples /> : <Answered question={question} />}
    </Page>
  );
}

const examples = [
  'what changed lately',
  'how are the tests run',
  'who knows most about the tests',
  'where is the version set',
];

function Examples() {
  return (
    <Notice title="Ask in your own words">
      {examples.map((question, at) => (
        <span key={question}>
          {at > 0 ? ' · ' : ''}
          <Link href={links.ask(question)}>{question}</Link>
        </span>
      ))}
    </Notice>
  );
}

function Answered({ question }: { question: string }) {
  const answer = useOperation('ask', { question }, { calm: true });
  return (
    <Loaded query={answer} what="the answer">
      {(data) => (
        <section aria-label="Answer" className="stack">
          {data.conflicts.map(({ description }) => (
            <Pill key={description} tone="warn">
              {description}
            </Pill>
          ))}
          <Lines answer={data} />
          {data.notes.map((note) => (
            <p key={note} className="muted">
              {note}
            </p>
          ))}
          <p>
            <Link href={links.search(question)}>Search for these words instead</Link>
          </p>
        </section>
      )}
    </Loaded>
  );
}

/** The answer as the command line prints it: headings, sentences, and sources that can be opened. */
function Lines({ answer }: { answer: Answer }) {
  const citations = new Map(answer.citations.map((citation) => [citation.n, citation]));
  return answer.answer.split('\n').map((line, at) => {
    const heading = /^── (.+)/.exec(line)?.[1];
    const citation = citations.get(Number(/^\[(\d+)\]/.exec(line)?.[1]));
    if (heading) return <h2 key={at}>{heading}</h2>;
    if (citation) return <Source key={at} citation={citation} />;
    return line.trim() ? (
      <p key={at} className="pre measure">
        {line}
      </p>
    ) : null;
  });
}

function Source({ citation: { n, place, reason, snippet, domain, ref, warnings } }: { citation: Citation }) {
  return (
    <div className="source">
      <Link href={sourceLink(ref, place)} className="hit-title">
        {n}. {place}
      </Link>
      {reason ? <p className="why">{reason}</p> : null}
      {snippet && domain === 'code' ? <pre className="snippet">{snippet}</pre> : null}
      {warnings?.map((warning) => (
        <Pill key={warning} tone="warn">
          {warning}
        </Pill>
      ))}
    </div>
  );
}

/** `src/a.ts:12` opens the file at its line; anything else has a page by its ref. */
function sourceLink(ref: string, place: string): string {
  const [, path, line] = /^(.+?):(\d+)(?:[-–]\d+)?$/.exec(place) ?? [];
  return path && line && !ref.startsWith('commit:')
    ? links.artifact(path, { line: Number(line) })
    : refLink(ref);
}
