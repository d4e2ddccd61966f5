import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NODES } from '../../contracts/kubernetes.ts';
import { BIN } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { nodeWithoutKubelet, onNode, refuseImage } from './bare-nodes.ts';
import { readCase } from './cases.ts';
import { failPod } from './failed-pods.ts';
import { localJob } from './local-jobs.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** What a terminal shows of the end of a job that is followed: each thing once. */

let stage: Stage;
let folder: string;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  await stage.cluster.create(NODES, nodeWithoutKubelet(`bare-${stage.namespace}`));
  folder = await mkdtemp(join(tmpdir(), 'followed-'));
});

afterAll(async () => {
  await stage.cluster.delete(NODES, undefined, `bare-${stage.namespace}`);
  await stage.close();
  await rm(folder, { recursive: true });
});

interface End {
  readonly title: string;
  readonly manifest: (name: string) => Manifest | Promise<Manifest>;
  /** Ends it. */
  readonly end?: (name: string) => Promise<unknown>;
  /** All that is shown of the end. */
  readonly shows: readonly (string | RegExp)[];
}

const withScript =
  (script: string, runPolicy = {}) =>
  (name: string) =>
    localJob({ ...{ name, namespace: stage.namespace, script, runPolicy }, restartPolicy: 'Never' });

const simulated = (name: string) =>
  simulatedJob({ name, namespace: stage.namespace, master: { restartPolicy: 'Never' }, worker: false });

const jobOf = (name: string) => stage.client.job({ namespace: stage.namespace, name });

const untilRuns = (name: string) =>
  eventually(`${name} runs`, async () => (await jobOf(name).status()).phase === 'Running');

const FAILED = 'PyTorchJob NAMESPACE/NAME Failed';
const NEVER = '  rule      spec.pytorchReplicaSpecs.Master.restartPolicy: Never';

const ENDS: readonly End[] = [
  {
    title: 'success',
    manifest: withScript('exit 0'),
    shows: ['PyTorchJob NAMESPACE/NAME Completed'],
  },
  {
    title: 'exit code 1',
    manifest: withScript('echo "ValueError: no such path" >&2; exit 1'),
    shows: [
      FAILED,
      '  cause     PodFailed: NAME-master-0 on node local: container pytorch exited with code 1 (Error)',
      '  error     ValueError: no such path',
      NEVER,
      /^ {2}remedy {4}Exit code 1 is .* `signalbox evidence NAME -n NAMESPACE --pod NAME-master-0` has its last lines/,
    ],
  },
  {
    title: 'a GPU without room',
    manifest: withScript(
      'echo "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB." >&2; exit 1',
    ),
    shows: [
      FAILED,
      '  cause     PodFailed: NAME-master-0 on node local: container pytorch exited with code 1 (Error)',
      '  error     torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB.',
      NEVER,
      /^ {2}remedy {4}The GPU has too little memory .* `signalbox evidence NAME -n NAMESPACE --pod NAME-master-0` has its last lines\.$/,
    ],
  },
  {
    title: 'a kill',
    // Kubernetes takes two dollars for one.
    manifest: withScript('kill -9 $$$$'),
    shows: [
      FAILED,
      '  cause     PodFailed: NAME-master-0 on node local: container pytorch exited with code 137, signal 9 (Error)',
      NEVER,
      /^ {2}remedy {4}.*SIGKILL/,
    ],
  },
  {
    title: 'too little memory',
    manifest: simulated,
    end: async (name) => {
      await untilRuns(name);
      await failPod(stage, `${name}-master-0`, { exitCode: 137, reason: 'OOMKilled' });
    },
    shows: [
      FAILED,
      /^ {2}cause {5}PodFailed: NAME-master-0 on node sim-\d: container pytorch exited with code 137 \(OOMKilled\)$/,
      NEVER,
      /^ {2}remedy {4}The kernel killed container pytorch for lack of memory/,
    ],
  },
  {
    title: 'a program that is not there',
    manifest: async (name) => {
      const manifest = await readCase('python4/python4', stage.namespace);
      return { ...manifest, metadata: { ...manifest.metadata, name } };
    },
    shows: [
      FAILED,
      /^ {2}cause {5}PodFailed: NAME-worker-0 on node local: .* \(StartError: exec: "python4": executable file not found in \$PATH\)$/,
      '  rule      spec.pytorchReplicaSpecs.Worker.restartPolicy: Never',
      /^ {2}remedy {4}The image has no `python4`/,
    ],
  },
  {
    title: 'an image that cannot be pulled',
    manifest: (name) =>
      withPolicy(onNode(simulated(name), `bare-${stage.namespace}`), {
        failures: { classes: { startUp: { after: '1s', final: true } } },
      }),
    end: async (name) => {
      await eventually('its pod has a node', async () => (await stage.pod(`${name}-master-0`)).spec.nodeName);
      await refuseImage(stage, `${name}-master-0`);
    },
    shows: [
      FAILED,
      /^ {2}cause {5}StartUpFailed: .* ErrImagePull \(NAME-master-0: manifest for train:1 not found\); .*startUp.after: 1s$/,
      '  rule      signalbox.dev/policy failures.classes.startUp.final: true',
      /^ {2}remedy {4}Correct the name or tag of the image/,
    ],
  },
  {
    title: 'a deadline',
    manifest: withScript('exec sleep 600', { activeDeadlineSeconds: 3 }),
    shows: [
      FAILED,
      '  cause     DeadlineExceeded: the job was active for longer than allowed',
      '  rule      spec.runPolicy.activeDeadlineSeconds: 3',
      /^ {2}remedy {4}Raise the limit, or see what took the time: `signalbox history NAME -n NAMESPACE`/,
    ],
  },
  {
    title: 'a stop by somebody else',
    manifest: withScript('exec sleep 600'),
    end: async (name) => {
      await untilRuns(name);
      await jobOf(name).stop({ by: 'ada', why: 'the data was wrong' });
    },
    shows: [
      'PyTorchJob NAMESPACE/NAME Stopped',
      '  cause     StopRequested: stopped by ada: the data was wrong',
      /^ {2}remedy {4}Submit it again/,
    ],
  },
];

it.each(ENDS.map((end, index) => ({ ...end, name: `end-${index}` })))(
  'the end of a followed job is told once: $title',
  async ({ name, manifest, end, shows }) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(await manifest(name)));
    const shown = inTerminal(['submit', file, '--follow']);
    await end?.(name);
    const lines = (await shown)
      .replaceAll(stage.namespace, 'NAMESPACE')
      .replaceAll(name, 'NAME')
      .replaceAll(/ after [\d.]+m?s$/gm, '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('warning: no log'));
    const ending = lines.slice(lines.findIndex((line) => /\b(Completed|Failed|Stopped)\b/.test(line)));
    expect(ending).toEqual(
      shows.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
  },
);

/** Returns all that a command shows in a terminal of its own. */
function inTerminal(args: readonly string[]): Promise<string> {
  const command = [process.execPath, BIN, ...args].map((arg) => `'${arg}'`).join(' ');
  const env = {
    ...{
      PATH: process.env.PATH,
      TERM: 'xterm',
      SIGNALBOX_SANDBOX_DIR: '/nowhere',
      XDG_CONFIG_HOME: '/nowhere',
    },
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(stripVTControlCharacters(shown).replaceAll('\r', '')));
  });
}
