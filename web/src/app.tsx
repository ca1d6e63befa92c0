import { lazy, Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { signedIn } from './api/client.ts';
import { Shell } from './components/shell.tsx';
import { Loading, Notice, Page } from './components/states.tsx';
import { Home } from './pages/home.tsx';
import { Login } from './people/login.tsx';

const Ask = lazy(() => import('./pages/ask.tsx'));
const Search = lazy(() => import('./pages/search.tsx'));
const Artifact = lazy(() => import('./pages/artifact.tsx'));
const Commit = lazy(() => import('./pages/commit.tsx'));
const Work = lazy(() => import('./pages/work.tsx'));
const Runs = lazy(() => import('./pages/runs.tsx'));
const Checks = lazy(() => import('./pages/checks.tsx'));
const Areas = lazy(() => import('./pages/areas.tsx'));
const References = lazy(() => import('./pages/references.tsx'));
const Skills = lazy(() => import('./pages/skills.tsx'));
const Graph = lazy(() => import('./pages/graph.tsx'));
const Memory = lazy(() => import('./pages/memory.tsx'));
const Review = lazy(() => import('./pages/review.tsx'));
const Activity = lazy(() => import('./pages/activity.tsx'));
const Handbook = lazy(() => import('./pages/handbook.tsx'));
const Approvals = lazy(() => import('./pages/approvals.tsx'));
const People = lazy(() => import('./pages/people.tsx'));

export function App() {
  if (!signedIn()) return <Login />;
  return (
    <Shell>
      <Suspense fallback={<Loading what="the page" />}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/ask" component={Ask} />
          <Route path="/search" component={Search} />
          <Route path="/artifact" component={Artifact} />
          <Route path="/commit" component={Commit} />
          <Route path="/work" component={Work} />
          <Route path="/runs" component={Runs} />
          <Route path="/checks" component={Checks} />
          <Route path="/areas" component={Areas} />
          <Route path="/references" component={References} />
          <Route path="/skills" component={Skills} />
          <Route path="/graph" component={Graph} />
          <Route path="/memory" component={Memory} />
          <Route path="/review" component={Review} />
          <Route path="/activity" component={Activity} />
          <Route path="/approvals" component={Approvals} />
          <Route path="/handbook" component={Handbook} />
          <Route path="/people" component={People} />
          <Route>
            <Page title="There is no such page">
              <Notice title="There is nothing at this address">
                The navigation leads to every page; <Link href="/">Home</Link> is a good start.
              </Notice>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
