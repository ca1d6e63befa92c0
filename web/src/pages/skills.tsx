import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Output } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useOperation } from '../api/use.ts';
import { Markdown } from '../components/markdown.tsx';
import { Card, Chosen, Failure, Loaded, Loading, Notice, Page, Pill } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

type Skill = Output<'browse_skills'>['skills'][number];

export default function Skills() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const skills = usePages(
    'browse_skills',
    { all: true, include_shadowed: true, query: query || undefined },
    ({ skills: items, total, next_cursor }) => ({ items, total, next_cursor }),
  );
  return (
    <Page title="Skills" lead="Instructions that agents load when a task calls for them.">
      <div className={id ? 'split lifts' : 'split'}>
        <Card title="All skills" aside={<span className="muted">{count(skills.total, 'skill')}</span>}>
          <input
            type="search"
            aria-label="Filter skills"
            placeholder="Filter by name or purpose…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {skills.error ? <Failure error={skills.error} /> : null}
          {!skills.items && !skills.error ? <Loading what="skills" /> : null}
          {skills.items?.length === 0 ? (
            <Notice title={query ? `No skill matches “${query}”` : 'No skills yet'}>
              Put one into <code>.sylk/skills</code>, or name a source in the configuration.
            </Notice>
          ) : null}
          {skills.items && skills.items.length > 0 ? (
            <SkillTree skills={skills.items} total={skills.total} more={skills.more} chosen={id} />
          ) : null}
        </Card>
        <div className="stack">
          {id ? (
            <Chosen key={id}>
              <SkillView id={id} />
            </Chosen>
          ) : null}
          <Sources />
        </div>
      </div>
    </Page>
  );
}

const isHeldBack = (trust: string | undefined): boolean => trust === 'new' || trust === 'changed';

const sourceTitle = (name: string): string => (name === 'embedded' ? 'built in' : name);

type Row =
  | { kind: 'collection'; path: string; depth: number; count: number }
  | { kind: 'skill'; skill: Skill; depth: number };

const collectionOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));

/** Collections with what is in them, one line each, so that ten thousand skills are still a list. */
function rowsOf(skills: Skill[], closed: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const counts = new Map<string, number>();
  for (const { id } of skills)
    for (let at = collectionOf(id); at !== ''; at = collectionOf(at))
      counts.set(at, (counts.get(at) ?? 0) + 1);
  const seen = new Set<string>();
  const depthOf = (path: string) => (path === '' ? 0 : path.split('/').length);
  const hidden = (path: string) => [...closed].some((each) => path === each || path.startsWith(`${each}/`));
  for (const skill of skills.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const collection = collectionOf(skill.id);
    const segments = collection.split('/').filter(Boolean);
    segments.forEach((_, at) => {
      const path = segments.slice(0, at + 1).join('/');
      if (seen.has(path)) return;
      seen.add(path);
      if (!hidden(collectionOf(path)))
        rows.push({ kind: 'collection', path, depth: at, count: counts.get(path) ?? 0 });
    });
    if (!hidden(collection)) rows.push({ kind: 'skill', skill, depth: depthOf(collection) });
  }
  return rows;
}

function SkillTree({
  skills,
  total,
  more,
  chosen,
}: {
  skills: Skill[];
  total: number;
  more(): void;
  chosen: string | null;
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  const rows = rowsOf(skills, closed);
  return (
    <VirtualList
      items={rows}
      label="Skills by collection"
      total={total > skills.length ? total : rows.length}
      onEnd={more}
      keyOf={(row) => (row.kind === 'collection' ? `in ${row.path}` : row.skill.source_name + row.skill.id)}
    >
      {(row) =>
        row.kind === 'collection' ? (
          <button
            type="button"
            className={`link row-main depth-${Math.min(row.depth, 4)}`}
            aria-expanded={!closed.has(row.path)}
            onClick={() => toggle(row.path)}
          >
            <strong>
              {closed.has(row.path) ? '▸' : '▾'} {row.path.slice(row.path.lastIndexOf('/') + 1)}/
            </strong>
            <span className="muted">{count(row.count, 'skill')}</span>
          </button>
        ) : (
          <>
            <Link
              href={links.skill(row.skill.id)}
              className={`row-main depth-${Math.min(row.depth, 4)}`}
              {...(row.skill.id === chosen ? { 'aria-current': 'true' as const } : {})}
            >
              <strong>{row.skill.name}</strong>
              <span className="muted two-lines">{row.skill.description}</span>
            </Link>
            {isHeldBack(row.skill.trust) ? <Pill tone="warn">not trusted</Pill> : null}
            {row.skill.plain_id_in ? (
              <Pill tone="warn">{`${row.skill.id}, plain id in ${sourceTitle(row.skill.plain_id_in)}`}</Pill>
            ) : null}
            {row.skill.shadowed_by ? <Pill tone="warn">shadowed by {row.skill.shadowed_by}</Pill> : null}
            <Pill>{row.skill.from ?? sourceTitle(row.skill.source_name)}</Pill>
          </>
        )
      }
    </VirtualList>
  );
}

function Sources() {
  const sources = useOperation('list_skill_sources', {});
  return (
    <Card title="Sources, the first wins">
      <Loaded query={sources} what="sources">
        {({ sources: found }) => (
          <ol className="rows">
            {found.map((source) => (
              <li key={source.name}>
                <span className="row-main">
                  <strong>{sourceTitle(source.name)}</strong>
                  <span className="muted path">{source.location}</span>
                </span>
                <span className="muted">{count(source.skills, 'skill')}</span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

function SkillView({ id }: { id: string }) {
  const skill = useOperation('show_skill', { id });
  return (
    <Card title={skill.data?.name ?? 'Skill'}>
      <Loaded
        query={skill}
        what="the skill"
        missing={<Notice title="There is no such skill">Its source may have changed.</Notice>}
      >
        {({ body, origin, trust, source_name, hidden_characters, resources, problems }) => (
          <>
            <p className="meta">
              <Pill>{sourceTitle(source_name)}</Pill>
              <Pill tone={isHeldBack(trust) ? 'warn' : 'good'}>{trust}</Pill>
              {hidden_characters > 0 ? (
                <Pill tone="bad">{count(hidden_characters, 'hidden character')}</Pill>
              ) : null}
              <span className="path">{origin.location}</span>
            </p>
            {problems.map((problem) => (
              <p key={problem.code + problem.line}>
                {problem.message} {problem.fix}
              </p>
            ))}
            {/* What has to be judged is shown as it is: a rendered page hides comments. */}
            {isHeldBack(trust) ? <pre>{body}</pre> : <Markdown text={body} />}
            {resources.length > 0 ? <p className="muted">{count(resources.length, 'resource')}</p> : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}
