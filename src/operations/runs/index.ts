import { answerRun, approveRun } from './answers.ts';
import { checkPlanText } from './check-plan.ts';
import { editPlan } from './edit-plan.ts';
import { landRun } from './land.ts';
import { listPipelines, listRuns, listWaiting } from './list.ts';
import { getMetrics } from './metrics.ts';
import { dropNode, messageRun, overrideNode, pauseRun, retryNode, setRunBudget, stopRun } from './moves.ts';
import { openPullRequest } from './pull-request.ts';
import { resumeRun } from './resume.ts';
import { reviewRun } from './review.ts';
import { getRun, watchRun } from './show.ts';
import { proposeRun, startRun } from './start.ts';
import { workForTeam } from './work.ts';

export const operations = [
  startRun,
  proposeRun,
  approveRun,
  answerRun,
  resumeRun,
  pauseRun,
  stopRun,
  setRunBudget,
  dropNode,
  retryNode,
  overrideNode,
  messageRun,
  landRun,
  openPullRequest,
  listRuns,
  listPipelines,
  listWaiting,
  getRun,
  watchRun,
  reviewRun,
  editPlan,
  checkPlanText,
  workForTeam,
  getMetrics,
];
