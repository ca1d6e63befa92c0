/** Every page of the navigation, in its order. */
export const pages: Array<[address: string, title: string]> = [
  ['/', 'Home'],
  ['/ask', 'Ask'],
  ['/search', 'Search'],
  ['/graph', 'Graph'],
  ['/work', 'Work'],
  ['/runs', 'Runs'],
  ['/checks', 'Checks'],
  ['/areas', 'Areas'],
  ['/memory', 'Memory'],
  ['/review', 'Review'],
  ['/references', 'References'],
  ['/skills', 'Skills'],
  ['/activity', 'Activity'],
  ['/approvals', 'Approvals'],
  ['/handbook', 'Handbook'],
];

/** A page that only a team has. */
export const teamPages: typeof pages = [['/people', 'People']];
