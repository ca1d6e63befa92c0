import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveEditor, editorIn, judgeEditor } from './acp/editor.ts';
import { listingOf, makeWorld, processesIn, untilPrinted, type World, workerOf } from './acp/world.ts';
import { type Drive, drives } from './clients/drives.ts';
import type { Bench } from './run-named.ts';
import type { Script } from './scripted-model.ts';

/** How each client's model changes a file and runs a line. */
const tools: Record<
  string,
  { write(path: string, text: string): Call; run(line: string): Call; program: string }
> = {
  own: {
    program: 'sh',
    write: (path, content) => ({ tool: 'write_file', input: { path, content } }),
    run: (command) => ({ tool: 'run_command', input: { command } }),
  },
  'claude-code': {
    program: 'claude-agent-acp',
    write: (file_path, content) => ({ tool: 'Write', input: { file_path, content } }),
    run: (command) => ({ tool: 'Bash', input: { command } }),
  },
  codex: {
    program: 'codex-acp',
    write: (path, text) => ({
      tool: 'exec_command',
      input: { ...escalated, cmd: `printf '${text}' > ${path}` },
    }),
    run: (cmd) => ({ tool: 'exec_command', input: { ...escalated, cmd, yield_time_ms: 30_000 } }),
  },
  gemini: {
    program: 'gemini',
    write: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    run: (command) => ({ tool: 'run_shell_command', input: { command } }),
  },
  opencode: {
    program: 'opencode',
    write: (filePath, content) => ({ tool: 'write', input: { filePath, content } }),
    run: (command) => ({ tool: 'bash', input: { command, description: 'for the lab' } }),
  },
};
type Call = Script['calls'][number];
const escalated = { sandbox_permissions: 'require_escalated', justification: 'the work place is writable' };

/** Some clients refuse a line that begins with sleep. */
const wait = (seconds: number): string => `timeout ${seconds} tail -f /dev/null`;

type Check = (label: string, holds: boolean, about?: unknown) => void;

/** Each scenario plays a script and says what has to be true of it. */
const scenarios: Record<
  string,
  (client: string) => { script: Script; play(world: World, check: Check): Promise<void> }
> = {
  'task done, permission refused': (client) => {
    const { write, run } = toolsOf(client);
    const calls = [write('note.md', 'hello'), run('touch denied.txt'), run('cat note.md'), ...endOf(client)];
    return {
      script: { calls, words: 'Wrote the note.', delay: 300 },
      play: async ({ agent, model, show }, check) => {
        const { code, result, events, milliseconds, errors } = await agent('add a note');
        check('completed', code === 0 && result['status'] === 'completed', { result, errors });
        check('only the note is in the commit', String(result['files']) === 'note.md', result['files']);
        check('the refusal was told', JSON.stringify(events).includes('refused: '), events.length);
        check('one commit on a branch', show('rev-list', '--count', `main..${result['branch']}`) === '1');
        reportUsage(client, result, model, milliseconds, events, check);
      },
    };
  },
  cancel: (client) => {
    const { write, run } = toolsOf(client);
    return {
      script: { calls: [write('note.md', 'hello'), run(wait(41))], words: 'Never said.' },
      play: async ({ agent }, check) => {
        let cancelled = 0;
        const { result } = await agent('add a note', (child) => {
          void untilPrinted(child, wait(41)).then(async () => {
            // The call has been allowed by now; the command itself takes a moment to start.
            await sleep(2000);
            cancelled = performance.now();
            child.kill('SIGINT');
          });
        });
        console.log(`    ended ${((performance.now() - cancelled) / 1000).toFixed(1)} s after Ctrl-C`);
        check('it did not complete', cancelled > 0 && result['status'] !== 'completed', result);
      },
    };
  },
  'agent killed': (client) => {
    const { write, run } = toolsOf(client);
    return {
      script: {
        calls: [write('note.md', 'hello'), run(wait(8)), write('more.md', 'more')],
        words: 'Wrote both.',
      },
      play: async ({ agent, place }, check) => {
        let killed = '';
        let seen: string[] = [];
        const { result, events, errors } = await agent('add two notes', (child) => {
          void untilPrinted(child, wait(8)).then(async () => {
            await sleep(1000);
            seen = processesIn(place);
            killed = killAgent(place, toolsOf(client).program);
          });
        });
        check('an agent was killed', killed !== '', seen);
        check('the crash was told', JSON.stringify(events).includes('stopped: '));
        check('both files came', String(result['files']) === 'more.md,note.md', { result, errors });
      },
    };
  },
  'Sylk killed and resumed': (client) => {
    const { write, run } = toolsOf(client);
    return {
      script: {
        calls: [write('note.md', 'hello'), run(wait(8)), write('more.md', 'more')],
        words: 'Wrote both.',
      },
      play: async ({ agent, start, left }, check) => {
        const first = await agent('add two notes', (child) => {
          void untilPrinted(child, wait(8)).then(async () => {
            await sleep(1000);
            child.kill('SIGKILL');
          });
        });
        const remaining = await left();
        check('nothing outlived Sylk', remaining.length === 0, remaining);
        const run = /run_\w+/.exec(JSON.stringify(first.events))?.[0] ?? '';
        const { result, errors, events } = await start('agent', '--resume', run, ...workerOf(client)).ended;
        check('both files came', String(result['files']) === 'more.md,note.md', { result, errors, run });
        const loaded = JSON.stringify(events).includes('been started again');
        console.log(
          `    ${loaded ? 'went on with its own session' : 'a new session went on from the files'}`,
        );
      },
    };
  },
  'budget passed': (client) => {
    const { write, run } = toolsOf(client);
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => [
      write(`${name}.js`, `exports.${name} = 1;\n`),
      run(wait(2)),
    ]);
    return {
      script: { calls, words: 'Wrote all.' },
      play: async ({ start, model }, check) => {
        const limits = ['--yes', '--budget', '0.0035', '--agent', client];
        const { result, code } = await start('run', 'Add six files', ...limits).ended;
        const { answers } = model.spent();
        // No budget holds an agent that says nothing of what it costs.
        check('the agent reports its cost', result['unpriced'] === 0, result);
        if (result['unpriced'] !== 0) return;
        console.log(
          `    budget $0.0035, cost $${result['cost']}, past it $${result['over_budget']}; ${answers} answers of the model, at $0.0011 each`,
        );
        check(
          'the person is asked',
          code === 5 && JSON.stringify(result['needs_you']).includes('too much'),
          result,
        );
        check('what is past the budget is said', Number(result['over_budget']) > 0, result['over_budget']);
        check('it did not go on', answers < calls.length, answers);
      },
    };
  },
  'first path: a plan of two, one agent and our own loop, killed in the middle': (client) => {
    const { write, run } = toolsOf(client);
    return {
      script: {
        calls: [
          write('note.js', 'exports.note = 1;\n'),
          run(wait(8)),
          write('more.js', 'exports.more = 1;\n'),
        ],
        words: 'Wrote both.',
      },
      play: async ({ start, left, place, show }, check) => {
        const [plan, script] = ['plan.json', 'script.json'].map((name) => join(place, 'home', '.sylk', name));
        const calls = [
          { name: 'write_file', input: { path: 'page.js', content: 'exports.page = 1;\n' } },
          { name: 'signal_complete', input: { result: 'Wrote the page.' } },
        ];
        const nodes = [
          { id: 'notes', agent: 'engineer', prompt: 'Add two notes' },
          { id: 'page', agent: 'designer', prompt: 'Add a page', depends_on: ['notes'] },
        ];
        writeFileSync(plan ?? '', JSON.stringify({ prompt: 'Notes and a page', nodes }));
        const steps = calls.map((call) => ({ calls: [call] }));
        writeFileSync(script ?? '', JSON.stringify({ conversations: [{ when: 'Add a page', steps }] }));
        const workers = ['--agent', `engineer=${client}`, '--model', `script:${script}`];
        const { child, ended } = start('run', '--from', plan ?? '', '--yes', ...workers);
        await untilPrinted(child, wait(8));
        await sleep(1000);
        child.kill('SIGKILL');
        const first = await ended;
        const remaining = await left();
        check('nothing outlived Sylk', remaining.length === 0, remaining);
        const id = /run_\w+/.exec(JSON.stringify(first.events))?.[0] ?? '';
        let { result, errors } = await start('run', 'resume', id).ended;
        // What no tool of this project judges is the person's to approve.
        for (let turn = 0; turn < 4 && JSON.stringify(result['needs_you']).includes('approve'); turn++)
          ({ result, errors } = await start('run', 'answer', id, 'approve').ended);
        check('completed', result['status'] === 'completed', { result, errors });
        check('all files came', String(result['files']) === 'more.js,note.js,page.js', result['files']);
        console.log(`    judged by ${JSON.stringify(result['gates'])}`);
        check(
          'tests judged it',
          /--test|mocha|tape|test script/.test(JSON.stringify(result['gates'])),
          result['gates'],
        );
        const branch = String(result['branch']);
        check(
          'one branch with a commit for each node',
          show('rev-list', '--count', `main..${branch}`) === '2',
        );
        check('no tree is left', show('worktree', 'list').split('\n').length === 1);
      },
    };
  },
};

/** Our own loop ends with a call, the others with words. */
const endOf = (client: string): Call[] =>
  client === 'own' ? [{ tool: 'signal_complete', input: { result: 'Wrote the note.' } }] : [];

const toolsOf = (client: string) => {
  const found = tools[client];
  if (!found) throw new Error(`No tools for ${client}.`);
  return found;
};

function reportUsage(
  client: string,
  result: Record<string, unknown>,
  model: World['model'],
  milliseconds: number,
  events: Array<Record<string, unknown>>,
  check: Check,
): void {
  const { answers, input, output, milliseconds: ofModel } = model.spent();
  const tokens = Object(result['tokens']);
  const isExact = tokens.input === input && tokens.output === output;
  const isMarked = Number(result['unmeasured']) > 0;
  console.log(
    `    ${client}: ${events.filter((event) => event['type'] === 'tool_call').length} calls, ${events.length} events, ${((milliseconds - ofModel) / 1000).toFixed(1)} s over the model's ${ofModel / 1000} s; model server: ${answers} answers, ${input} in, ${output} out; agent: ${isMarked ? 'at least ' : ''}${tokens.input} in, ${tokens.output} out, $${result['cost']}${Number(result['unpriced']) > 0 ? ' (price unknown)' : ''}`,
  );
  check('usage is exact, or said to be a part', isExact || (isMarked && tokens.input <= input), tokens);
}

/** The agent's own process, not the outlet around it. */
function killAgent(place: string, program: string): string {
  const [found] = processesIn(place).filter(
    (line) => line.includes(program) && !/bwrap|outlet-worker|^\d+ sh /.test(line),
  );
  if (!found) return '';
  process.kill(Number(found.split(' ')[0]), 'SIGKILL');
  return found;
}

async function playScenario(
  drive: Drive,
  programs: string[],
  name: string,
  clone: string | undefined,
): Promise<number> {
  let broken = 0;
  const make = scenarios[name];
  if (!make) return 1;
  const { script, play } = make(drive.client);
  const world = await makeWorld(drive, programs, script, clone);
  const check: Check = (label, holds, about) => {
    if (holds) return;
    broken += 1;
    console.log(`    BROKEN ${label}: ${JSON.stringify(about ?? '').slice(0, 1500)}`);
  };
  try {
    await play(world, check);
    const left = await world.left();
    check('nothing is left running', left.length === 0, left);
    const changed = world.changed();
    check(
      'no byte changed outside the work place and the home that is thrown away',
      changed.length === 0,
      changed,
    );
    console.log(`  ${drive.client}, ${name}: ${broken === 0 ? 'as it has to be' : `${broken} broken`}`);
  } catch (error) {
    broken += 1;
    console.log(`  ${drive.client}, ${name}: ${error}`);
  } finally {
    world.close();
  }
  return broken;
}

/**
 * `npm run lab -- acp --from DIRECTORY [CLIENT…] [--cases PART] [--commands CLONE]`: real coding agents, installed elsewhere, do tasks through `sylk agent`
 * against a scripted model. DIRECTORY holds node_modules, or folders that do; CLONE is
 * a public repository with its packages, which the work is done in a copy of; a folder with acp.el lets Emacs drive `sylk acp`.
 */
const acp: Bench = async ({ from, words, cases = '', commands }) => {
  const folders = from.flatMap((place) => [place, ...readdirSync(place).map((name) => join(place, name))]);
  const programs = folders
    .map((place) => join(place, 'node_modules', '.bin'))
    .filter((path) => existsSync(path));
  let broken = 0;
  let played = 0;
  const installed = from.flatMap((place) => listingOf(place));
  const own: Drive = {
    client: 'own',
    program: 'sh',
    prepare: () => ({ LAB_API_KEY: 'scripted' }),
    args: () => [],
  };
  for (const drive of [own, ...drives]) {
    if (!(drive.client in tools) || (words.length > 0 && !words.includes(drive.client))) continue;
    if (drive !== own && !programs.some((path) => existsSync(join(path, toolsOf(drive.client).program)))) {
      console.log(`${drive.client}: not installed in any --from`);
      continue;
    }
    // The labs of our own loop kill and cancel it.
    const names = drive === own ? Object.keys(scenarios).slice(0, 1) : Object.keys(scenarios);
    for (const name of names.filter((each) => each.includes(cases))) {
      broken += await playScenario(drive, programs, name, commands);
      played += 1;
    }
  }
  const library = editorIn(folders);
  if (library && 'editor'.includes(cases) && (words.length === 0 || words.includes('editor'))) {
    const seen = driveEditor(library);
    for (const [label, holds] of Object.entries(judgeEditor(seen))) {
      if (!holds) broken += 1;
      console.log(`  editor (acp.el), ${label}: ${holds ? 'as it has to be' : 'BROKEN'}`);
    }
    played += 1;
  }
  // The agents' own programs lie outside of every place that they may write.
  const after = new Set(from.flatMap((place) => listingOf(place)));
  const touched = installed.filter((line) => !after.has(line)).length + after.size - installed.length;
  if (touched > 0) broken += 1;
  console.log(
    `${played} scenes, ${broken} broken; ${touched} of ${installed.length} installed files touched`,
  );
  process.exitCode = broken === 0 ? 0 : 1;
};

export default acp;
