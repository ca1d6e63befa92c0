import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Pill } from '../components/states.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';
import { isFinished, statusTone, statusWords, turn, waits } from '../work/status.ts';

export function OpenWork() {
  const board = useOperation('get_work_board', { limit: 6 }, { everyMs: 10_000 });
  return (
    <Card title="Open work" aside={<Link href="/work">The board</Link>}>
      <Loaded query={board} what="work">
        {({ data }) => {
          const open = (data?.columns ?? []).filter((column) => !isFinished(column.status));
          const tasks = open.flatMap((column) => column.tasks).toSorted((a, b) => turn(a) - turn(b));
          if (tasks.length === 0)
            return (
              <Notice title="No open tasks">
                <Link href="/work">Add one on the board</Link>, or let an agent plan.
              </Notice>
            );
          const total = open.reduce((sum, column) => sum + column.total, 0);
          return (
            <>
              <ul className="rows">
                {tasks.slice(0, 6).map((task) => (
                  <li key={task.id}>
                    <Link href={links.work(task.id)} className="row-main">
                      {task.title}
                    </Link>
                    {task.claim?.live ? <Pill tone="good">{task.claim.by}</Pill> : null}
                    <Pill tone={statusTone(task.status)}>
                      {waits(task) ? 'waits' : statusWords(task.status)}
                    </Pill>
                  </li>
                ))}
              </ul>
              {total > 6 ? <p className="muted">{count(total, 'open task')} in all</p> : null}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
