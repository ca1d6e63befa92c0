import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Markdown } from '../components/markdown.tsx';
import { Card, Loaded, Notice, Page, Pill } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';

export default function Skills() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const skills = useOperation('list_skills', { include_shadowed: true, ...(query ? { query } : {}) });
  return (
    <Page title="Skills" lead="Instructions that agents load when a task calls for them.">
      <div className={id ? 'split' : 'stack'}>
        <Card title="All skills">
          <input
            type="search"
            aria-label="Filter skills"
            placeholder="Filter by name or purpose…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Loaded query={skills} what="skills">
            {({ skills: found, total }) =>
              found.length === 0 ? (
                <Notice title={query ? `No skill matches “${query}”` : 'No skills yet'}>
                  Put one into <code>.sylk/skills</code>, or name a source in the configuration.
                </Notice>
              ) : (
                <>
                  <ul className="rows">
                    {found.map((skill) => (
                      <li key={skill.source_name + skill.id}>
                        <Link href={links.skill(skill.id)} className="row-main">
                          <strong>{skill.name}</strong>
                          <span className="muted">{skill.description}</span>
                        </Link>
                        {skill.shadowed_by ? <Pill tone="warn">shadowed by {skill.shadowed_by}</Pill> : null}
                        <Pill>{skill.source_name}</Pill>
                      </li>
                    ))}
                  </ul>
                  <p className="muted">
                    {found.length < total ? `${found.length} of ` : ''}
                    {count(total, 'skill')}
                  </p>
                </>
              )
            }
          </Loaded>
        </Card>
        {id ? <Skill key={id} id={id} /> : null}
      </div>
    </Page>
  );
}

function Skill({ id }: { id: string }) {
  const skill = useOperation('show_skill', { id });
  return (
    <Card title={skill.data?.name ?? 'Skill'}>
      <Loaded query={skill} what="the skill">
        {({ body, origin, trust, source_name, hidden_characters, resources, problems }) => (
          <>
            <p className="meta">
              <Pill>{source_name}</Pill>
              <Pill tone={trust === 'changed' || trust === 'new' ? 'warn' : 'good'}>{trust}</Pill>
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
            <Markdown text={body} />
            {resources.length > 0 ? <p className="muted">{count(resources.length, 'resource')}</p> : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}
