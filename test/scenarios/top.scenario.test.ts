import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { BIN, signalbox } from '../cli/process.ts';
import { EmulatedScreen } from '../cli/top/emulated-screen.ts';
import { eventually } from '../eventually.ts';
import { localJob } from './local-jobs.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** `signalbox top` in a pseudo terminal, on real servers. */

const run = promisify(execFile);
let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  await Promise.all([
    stage.client.submit(
      localJob({ name: 'speaks', namespace: stage.namespace, script: 'echo the first line; exec sleep 600' }),
    ),
    stage.client.submit(
      withGpus(simulatedJob({ name: 'huge', namespace: stage.namespace, worker: false }), 64),
    ),
  ]);
});

afterAll(() => stage.close());

/** More than a node has. */
function withGpus<M extends object>(manifest: M, gpus: number): M {
  const text = JSON.stringify(manifest).replaceAll(
    '"name":"pytorch"',
    `"name":"pytorch","resources":{"limits":{"nvidia.com/gpu":"${gpus}"}}`,
  );
  return JSON.parse(text);
}

const env = () => ({
  TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
  SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
  SIGNALBOX_NAMESPACE: stage.namespace,
});

const HEIGHT = 24;
const WIDTH = 120;
const open: TopInTerminal[] = [];

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.end();
});

class TopInTerminal {
  readonly screen = new EmulatedScreen({ height: HEIGHT, width: WIDTH });
  readonly closed: Promise<number | null>;
  readonly #child: ChildProcess;
  /** All that was written, and how often. */
  written = '';

  constructor(args = '') {
    const command = `stty rows ${HEIGHT} cols ${WIDTH}; '${process.execPath}' '${BIN}' top ${args}; echo "ended with $?"; stty -a`;
    this.#child = spawn('script', ['-qec', command, '/dev/null'], {
      env: {
        ...{ PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/bash' },
        ...{ SIGNALBOX_SANDBOX_DIR: '/nowhere', XDG_CONFIG_HOME: '/nowhere' },
        ...env(),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.written += text;
      this.screen.write(text);
    });
    this.closed = new Promise((resolve) => this.#child.once('close', resolve));
    open.push(this);
  }

  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  shows(what: string | RegExp): Promise<unknown> {
    const is = () =>
      typeof what === 'string' ? this.screen.text.includes(what) : what.test(this.screen.text);
    return eventually(`the terminal shows ${what}`, is).catch((error: Error) => {
      throw new Error(`${error.message}. It shows:\n${this.screen.text}`);
    });
  }

  /** Of the process in the terminal. */
  async pid(): Promise<number> {
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of all) {
      const [command, environment] = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
      ]);
      const isTop = command.split('\0').includes('top') && command.split('\0').includes(BIN);
      if (isTop && environment.includes(`SIGNALBOX_NAMESPACE=${stage.namespace}`)) return Number(pid);
    }
    throw new Error('there is no process of top');
  }

  async resize(rows: number, columns: number): Promise<void> {
    const terminal = await readlink(`/proc/${await this.pid()}/fd/0`);
    await run('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

const UP = '\u001b[A';
const ENTER = '\r';
const ESCAPE = '\u001b';

it('shows jobs live, opens one, follows its log, filters, and leaves the terminal as it was', async () => {
  const top = new TopInTerminal();
  await top.shows(/speaks +PyTorchJob +Running/);
  await top.shows(/huge +PyTorchJob +Pending +NeverFits +64 .*each master pod requests 64/);
  await top.shows(/Pending 1 {2}Running 1\nGPUs {2}Pending 64 {5}waits {2}NeverFits 1/);
  expect(top.screen.modes).toEqual(new Set(['1049']));

  top.type('/speaks');
  await top.shows('options of list): speaks_');
  top.type(ENTER);
  await top.shows(/filter speaks[\s\S]*> speaks/);
  expect(top.screen.text).not.toContain('huge');
  top.type(ENTER);
  await top.shows(/^get job\/\S+\/speaks\nPyTorchJob \S+\/speaks {2}Running/);
  top.type(ESCAPE);
  await top.shows(/> speaks/);
  top.type('l');
  await top.shows('speaks-master-0 the first line');
  top.type('q');
  await top.shows(/> speaks/);

  top.type('/\u0015--fase failed\r');
  await top.shows("error: unknown option '--fase'");
  top.type('/\u0015--phase pending\r');
  await top.shows(/filter --phase pending[\s\S]*> huge/);
  top.type('w');
  await top.shows(/NeverFits: [\s\S]*change +you can/);
  top.type('q');

  await top.shows(/> huge/);
  await top.resize(10, 60);
  await top.shows(/^ {2}NAME[\s\S]*\n> huge/);
  await top.resize(HEIGHT, WIDTH);
  await top.shows(/^signalbox top[\s\S]*> huge/);

  top.type('q');
  expect(await top.closed).toBe(0);
  expect(top.screen.modes).toEqual(new Set(['7', '25']));
  expect(top.screen.text).toMatch(/ended with 0[\s\S]* icanon[\s\S]* echo /);
});

it('stops a job with a reason, once that is confirmed', async () => {
  await stage.client.submit(
    localJob({ name: 'stopped', namespace: stage.namespace, script: 'exec sleep 600' }),
  );
  const top = new TopInTerminal();
  await top.shows(/stopped .*Running/);
  top.type('/stopped\r');
  await top.shows(/filter stopped[\s\S]*> stopped/);
  top.type('sthe data was wrong\r');
  await top.shows(/because: the data was wrong\. Sure\?/);
  top.type('y');
  await top.shows(/> stopped +PyTorchJob +Stopped +StopRequested/);
  const { cause } = await stage.client.job({ name: 'stopped' }).status();
  expect(cause?.message).toContain('the data was wrong');
  top.type('\u0003');
  await top.closed;
  expect(top.screen.text).toContain('ended with 130');
});

it.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('leaves the terminal as it was when %s ends it', async (signal, code) => {
  const top = new TopInTerminal();
  await top.shows(/> /);
  process.kill(await top.pid(), signal);
  await top.closed;
  expect(top.screen.modes).toEqual(new Set(['7', '25']));
  expect(top.screen.text).toMatch(new RegExp(`ended with ${code}[\\s\\S]* icanon[\\s\\S]* echo `));
});

it('writes only what has changed, in one write for a frame', async () => {
  const top = new TopInTerminal('--phase pending');
  await top.shows(/> huge .*each master pod requests 64/);
  top.written = '';
  top.type('?');
  await top.shows('stop it: asks why');
  const frames = top.written.split('\u001b[?2026h').slice(1);
  expect(frames.every((text) => text.endsWith('\u001b[?2026l'))).toBe(true);
  top.written = '';
  top.type(`q${UP}${UP}${UP}${UP}`);
  await top.shows(/> huge/);
  // One job is selected already: the table came back, and later frames have the time and the ages.
  expect(top.written.split('\u001b[?2026h').length - 1).toBeLessThanOrEqual(3);
});

it('prints once without a terminal', async () => {
  const text = await signalbox(['top', '--phase', 'pending'], { env: env() });
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toMatch(
    /^Pending 1\nGPUs {2}Pending 64 {5}waits {2}NeverFits 1\n\nNAME +KIND .*WHAT\nhuge .* 64 .*the largest node has/,
  );
  const { stdout } = await signalbox(['top', '-A', '-o', 'json'], { env: env() });
  expect(JSON.parse(stdout)).toMatchObject({
    phases: { Pending: expect.any(Number) },
    gpus: { Pending: expect.any(Number) },
    jobs: expect.arrayContaining([
      expect.objectContaining({ name: 'huge', details: expect.objectContaining({ gpus: 64 }) }),
    ]),
  });
});
