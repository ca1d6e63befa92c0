import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

/*
 * Runs inside a sandbox without network and opens the only ways out: loopback ports that lead to sockets of the process
 * outside.
 *
 *   outlet-worker run DIRECTORY PORT=SOCKET,… PROGRAM ARGUMENT…    opens the ports, then runs the program
 *   outlet-worker connect SOCKET                                   joins standard input and output with a socket
 */
const [mode, place = '', ...words] = process.argv.slice(2);

function join(path: string): void {
  const socket = connect(path);
  process.stdin.pipe(socket).pipe(process.stdout);
  socket.on('error', ({ message }) => {
    process.stderr.write(`${path}: ${message}\n`);
    process.exitCode = 1;
  });
  socket.on('close', () => process.exit());
}

async function openPort(port: number, path: string): Promise<void> {
  const server = createServer((inner) => {
    const outer = connect(path);
    inner.pipe(outer).pipe(inner);
    // One side ends: the other has nothing more to say.
    inner.on('error', () => outer.destroy());
    outer.on('error', () => inner.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function run([ports = '', program = '', ...args]: string[]): Promise<void> {
  const pairs = ports.split(',').filter(Boolean);
  await Promise.all(
    pairs.map((pair) => {
      const [port, socket] = pair.split('=');
      return openPort(Number(port), `${place}/${socket}`);
    }),
  );
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // As the first process of its space it may not die of it.
    process.exit(128);
  });
}

if (mode === 'connect') join(place);
else await run(words);
