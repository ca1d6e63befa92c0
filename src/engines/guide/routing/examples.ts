import type { LabelledExample } from './nearest.ts';

/**
 * Messages with the lane they belong to: the training half of `fixtures/routing`, and nothing of the halves that judge.
 * A test holds the two against each other.
 */
const byLane: Record<string, string> = {
  'librarian LOCATE': `
    Where are request and response interceptors registered?
    where can I locate the code responsible for parsing the config file
    Where in the system are permission checks carried out?
    find the lower level helpers that render() delegates to
    which environment variables decide about the proxy, and in what file are they read
    show me the current interceptors
    in which package does the scheduler live
    what module holds the feature flags
    I'm looking for the class that signs webhooks
    point me to the entry point of the CLI`,
  'librarian PATTERN': `
    do we wrap errors or let database errors bubble up
    what architectural style is used in the billing package, layered or hexagonal?
    What state management approach do we have in the front end?
    how do we validate input at the boundary
    what fault-tolerance strategy does the payments module use for external calls
    how do we name branches and commits
    what's the usual way of adding a new endpoint here
    how do we handle retries against third-party APIs
    our approach to dependency injection
    do we use exceptions or result types`,
  'librarian EXPLAIN': `
    how are notifications scheduled
    trace how processOrder is reached from the entry points
    what does this function do: normalizePath
    explain what config.ts does and its role
    How are query parameters turned into a string in our client?
    what does the reconcile step do
    what happens when a user uploads a file larger than the limit
    what is the purpose of the lease table
    how does openLedger work
    explain the event loop in server.ts`,
  'librarian GENERAL': `
    what are the subsystems of the storage layer
    what URLs does this site support
    is there a database here, and can I see the schema
    how is the project built and run locally
    what are the main modules and how do they talk to each other
    which tables does the orders service write to
    how many tests does the project have
    which services talk to redis
    list every route the server exposes
    are there any TODOs in the payment code`,
  'archivalist HISTORICAL': `
    How did we implement the auth flow last week?
    do you remember when we replaced the proxy, what did we settle on
    what was the reason for moving the API from Go to Node
    What did we decide about the auth architecture?
    why did we abandon the old plugin system
    how had the team dealt with N+1 queries before the rewrite
    what approach did we take for rate limiting previously
    last time the disk filled up, what did we do
    what solved the flaky upload test in the end
    what patterns have we used for background jobs so far`,
  'archivalist ACTIVITY': `
    who joined the work on the importer and when
    What was the last thing we did on the billing module?
    What happened in yesterday's session?
    what did the last person try on this bug
    show recent changes near the payment handler
    who touched the login page in the last ten days
    which files were modified today
    activity on the migration branch
    history of the invoice module
    what did the agent do overnight`,
  'archivalist OUTCOME': `
    is the vault button bug closed now
    what was the outcome of the performance experiment
    did we already fix this
    was that pull request merged in the end
    did the tests pass after the pnpm switch
    how did the rollout of the new parser turn out
    how well did the cache warm-up go
    were there any failures after yesterday's deploy
    status of the billing rewrite
    which of the experiments failed`,
  'archivalist SIMILAR': `
    same error as the one with the websocket last spring?
    any prior discussion on connection pool exhaustion
    Have we seen this error before?
    did anything like this happen in other modules
    is this a known issue with the importer
    comparable refactorings we did earlier
    find past bugs that resemble this deadlock
    which old mistakes look like this one
    has anybody run into the same memory leak here
    something like the cookie bug again?`,
  'archivalist RESUME': `
    continue from the last checkpoint
    pick up where I stopped before the crash
    resume work on analytics
    what's left to do on this task
    What were we doing?
    where did I stop on Friday
    carry on with the half finished refactor
    continue with yesterday's work
    remind me what remains to be done
    what was I working on before lunch`,
  'archivalist GENERAL': `
    what decisions have been made so far
    everything we have on authentication from earlier sessions
    let's recap all ideas we had about saving tokens
    what were the causes of the downtimes we had in the past
    what has everyone been busy with over the last sprint
    what have past sessions told us about performance
    what lessons did we learn this quarter
    what failures have we written down
    give me a summary of everything recorded about the importer
    which open threads are still recorded`,
  'archivalist store': `
    add to memory: fiscal year ends in March
    document why Directus was chosen so we can look back in two years
    store this pattern for future reference
    save this for next time: the staging key expires in May
    log the fix we just made
    store the decision to use SQLite
    remember: deploys only from the release branch
    make a note that the importer chokes on empty files
    don't forget that invoices are immutable
    for the record, we picked zod over yup`,
  'archivalist check': `
    does this contradict an earlier decision
    before claiming the issue, check whether someone else is already on it
    do we already know the answer to this
    any corrections or gotchas for caching before I implement this
    would this repeat a mistake we made
    check whether this was tried before
    check for conflicts with what was agreed on naming
    has this approach failed us
    verify against our decisions that Redis is allowed
    am I about to break something we learnt the hard way`,
  'archivalist declare': `
    planning to spend today on the importer
    I'd like to take this issue.
    starting on the Stripe integration today
    heads up: about to rename the core package
    taking over the flaky test task
    my plan for this session is to split the config module
    I'm starting the auth migration
    I own the cache refactor until Friday
    declaring intent: replace moment with date-fns
    I am about to touch the payment tables`,
  'archivalist complete': `
    resolved in the latest commit
    finalised the packing algorithm and integrated it
    the resync bug has been fixed elsewhere, with tests, so I withdraw mine
    fixed the cookie bug with an extra guard clause
    implemented the missing function and pushed
    just landed the new cache layer
    that's it for the parser, it handles comments now
    upgrade to Node 24 complete
    all steps of the export task are done
    we shipped the onboarding emails`,
  'academic RESEARCH': `
    what is best practice for retrying calls to a flaky service
    look up how React's virtual DOM diffing works
    how should jitter be added to exponential backoff
    which status codes is it safe to retry, per the RFC
    explain the circuit breaker pattern
    what is the difference between TCP and UDP
    What are effective techniques to decouple a class from its dependencies?
    recommended approach for dynamic feature flag rollouts
    how do other projects version their REST APIs
    learn about CRDTs for offline editing
    research vector databases
    when should one use a message queue
    what is good practice for timeouts, and what do we do ourselves
    state of the art in prompt caching
    SQLite vs DuckDB for analytics
    compare Redis and Memcached`,
  'architect PLAN': `
    fix the failing build on arm64
    extract validation logic from the controller into its own class
    we should add error handling to the repository classes
    switch the project to pnpm
    implement consistent error messages across all repository methods
    refactor the notifier into a queue consumer
    I want this built
    let's create a command line for the importer
    migrate the cron jobs to the scheduler
    break this feature into tasks`,
  'architect CHANGE': `
    actually, close that in favour of the other plan
    not that way, do the trivial fix only
    reopen the plan, the deadline moved
    putting off this switch until the new year
    use the second option instead
    actually, include the admin API too
    abort and roll back
    change step three to use the queue
    stop right there
    wait, don't touch the database`,
  'designer DESIGN': `
    underline the text in the label widget
    restyle the settings page after the wireframe
    make the buttons responsive and give them a pointer cursor
    toggle style is hard to see, adjust the background colour
    Enable a dark mode toggle in the mobile view
    animate the drawer when it opens
    make the sidebar collapse on small screens
    add a skeleton loader to the table
    create a button variant for destructive actions
    pick colours for the warning banner from our design tokens`,
  'inspector INSPECT': `
    check for injection vulnerabilities and missing input validation
    does the code follow our style guide, point out violations
    summarize the diff and highlight risks
    review the deployment files for misconfigurations
    analyse app.js and suggest improvements for readability
    are there any code smells in the new module
    run the linter and type checker and tell me what's wrong
    which issues did the inspection find
    check compliance of the patch with the acceptance criteria
    do a security pass over the upload handler`,
  'tester TEST': `
    generate tests for UserService, focus on edge cases
    how well is the parser covered by tests
    mock the network in the client specs
    Write unit tests for the auth module.
    which tests are flaky
    test the retry logic end to end
    why does the login spec time out
    measure coverage of src/base
    run only the e2e tests
    set up load tests for the gateway`,
  'guide HELP': `
    tell me about yourself
    What tools do you have available?
    What can you do?
    is there a slash command for resuming
    show help
    usage
    help
    what is the Guide for
    how do I send a message to another agent
    give me examples of questions I can ask you`,
  'guide STATUS': `
    is the index up to date
    any dead letters in the queue
    are all services healthy
    how is the memory system doing
    check MCP server status
    status
    is the archivalist reachable
    show routing statistics
    system health please
    did any circuit breaker open`,
  'guide SESSION': `
    list my sessions
    which sessions are open
    show all sessions that touched this repo
    start a new session for the research on X
    close session 4
    create a session for the rate limiter feature
    show sessions
    what session am I in
    suspend this session
    complete the session`,
  none: `
    order me a pizza
    tell me the score of the match last night
    recommend a good pasta recipe
    how tall is Mount Everest
    what does my horoscope say
    Translate this sentence to Spanish: good morning
    name the women who worked on the surface of the mine
    who won the world cup in 2018
    summarise the plot of Hamlet
    write a poem about autumn
    where did the miners store their belongings
    how do I lose weight quickly
    tell me a joke about cats
    find a hotel near the station
    lol
    which film won the Oscar
    are you human
    do you like music
    ok
    I am tired
    hello
    good morning everyone
    see you tomorrow
    what a day
    sing something
    how old is the universe
    what's the meaning of life
    42`,
};

export const examples: LabelledExample[] = Object.entries(byLane).flatMap(([lane, texts]) =>
  texts
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => ({ lane, text })),
);
