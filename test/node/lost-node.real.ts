import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isNodeSchedulable } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES, type Pod } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { courseOf, renewed, untilAttempt, untilRestarted, untilStatus } from '../scenarios/attempts.ts';
import { untilPhase } from '../scenarios/stage.ts';
import { onNode, preferringNode, type RealJobOptions, RUNS_ON } from './jobs.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** A node whose kubelet falls silent for some two minutes: its containers run on, and nobody ends them. */

const SILENT = 'node-2';
const ON_SILENT = { ...RUNS_ON, pod: onNode(SILENT) };
const ELSEWHERE = { ...RUNS_ON, pod: onNode('node-1') };
const GANG = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };

/** Kubernetes deletes the pod so soon after it has noticed. */
const DELETED_SOON = {
  tolerations: ['unreachable', 'not-ready'].map((taint) => ({
    ...{ key: `node.kubernetes.io/${taint}`, operator: 'Exists', effect: 'NoExecute' },
    tolerationSeconds: 3,
  })),
};

/** Where the ranks meet: rank 0 notes who joins, by attempt. */
const MEETS = `
  const { appendFileSync, existsSync } = require("fs");
  const { SIGNALBOX_ATTEMPT: attempt, MASTER_PORT: port } = process.env;
  const note = (who) => appendFileSync("/out/joined", who + " to " + attempt + "\\n");
  require("net").createServer((rank) => rank.on("data", note).on("error", () => 0)).listen(port);
  setInterval(() => attempt === "2" && existsSync("/out/enough") && process.exit(0), 200);`;

/** A rank that joins again and again, as one that is restarted in place. */
const JOINS = `
  const { appendFileSync } = require("fs");
  const { SIGNALBOX_ATTEMPT: attempt, MASTER_PORT: port, MASTER_ADDR: address } = process.env;
  const note = ({ code }) => appendFileSync("/out/refused-" + attempt, code + "\\n");
  setInterval(() => {
    const rank = require("net").connect(port, address, () => rank.end("from " + attempt)).on("error", note);
  }, 200);`;

const inNode = (program: string) => `exec node -e '${program}'`;

/** Each has its worker on the node. */
const JOBS = {
  patient: { master: ELSEWHERE, worker: ON_SILENT },
  forced: {
    master: {
      script: 'until [ "$SIGNALBOX_ATTEMPT" = 2 ] && [ -e /out/trained ]; do sleep 0.5; done',
      pod: onNode('node-1'),
    },
    worker: {
      script: `trap 'touch /out/told-$SIGNALBOX_ATTEMPT; exit 0' TERM; while :; do sleep 0.5; done`,
      pod: preferringNode(SILENT),
    },
    restartPolicy: 'OnFailure',
    policy: { nodes: { lostAfter: '2s', forceDeleteAfter: '2s' }, restart: GANG },
  },
  left: {
    master: { script: inNode(MEETS), pod: onNode('node-1') },
    worker: { script: inNode(JOINS), pod: { ...preferringNode(SILENT), ...DELETED_SOON } },
    restartPolicy: 'OnFailure',
  },
  avoiding: {
    master: ELSEWHERE,
    worker: ON_SILENT,
    restartPolicy: 'OnFailure',
    policy: { nodes: { lostAfter: '2s', avoidFor: '20s', waitForSilent: true } },
  },
  stopped: { master: ELSEWHERE, worker: ON_SILENT },
} as const satisfies Record<string, Omit<RealJobOptions, 'name' | 'namespace'>>;

type Name = keyof typeof JOBS;

describeOnNodes('a node whose kubelet is silent', () => {
  let stage: RealStage;
  const jobs = {} as Record<Name, JobHandle>;
  let before: readonly Pod[];

  const isReady = async () => isNodeSchedulable(await stage.cluster.get(NODES, undefined, SILENT));

  const returns = async () => {
    stage.nodes.thawKubelet(SILENT);
    await eventually(`${SILENT} is ready`, isReady);
  };

  beforeAll(async () => {
    stage = await openRealStage();
    await stage.engine('up');
    const names = Object.keys(JOBS) as Name[];
    await Promise.all(
      names.map(async (name) => {
        jobs[name] = await stage.running({ name, ...JOBS[name] });
      }),
    );
    before = (await Promise.all(names.map((name) => stage.pods(name)))).flat();
    const workers = before.filter(({ metadata }) => metadata.name.endsWith('-worker-0'));
    expect(workers.map(({ spec }) => spec.nodeName)).toEqual(names.map(() => SILENT));
    stage.nodes.freezeKubelet(SILENT);
    await eventually('Kubernetes has noticed', async () => !(await isReady()));
    await jobs.stopped.stop();
  });

  afterAll(async () => {
    await returns();
    await stage.close();
  });

  const linesOf = async (name: string) =>
    (await readFile(join(stage.out, name), 'utf8').catch(() => '')).split('\n').filter(Boolean);

  const podsOf = (name: Name) => before.filter(({ metadata }) => metadata.name.startsWith(name));

  it('is named, with its pod, also without a policy', async () => {
    const { state, cause } = await untilStatus(
      jobs.patient,
      'it is named',
      ({ cause }) => cause?.reason === 'NodeNotReady',
    );
    expect({ state, cause }).toMatchObject({
      state: 'Starting.Waiting',
      cause: {
        node: SILENT,
        pod: 'patient-worker-0',
        message: expect.stringMatching(
          /^node node-2 is not ready since .*; patient-worker-0 runs there; once Kubernetes deletes its pods, .* the gang restarts without them$/,
        ),
      },
    });
    const { reasons } = await jobs.patient.whyWaiting();
    expect(reasons[0]).toMatchObject({
      code: 'NodeNotReady',
      sentence: cause!.message,
      who: 'administrator',
    });
  });

  it('loses its pods to another one, if the policy says so', async () => {
    const status = await untilAttempt(jobs.forced, 2);
    expect(courseOf(status)).toMatch(/forced-worker-0 on node node-2: .*NodeLost: NotReady since/);
    const after = await stage.pods('forced');
    expect(after.map(({ spec }) => spec.nodeName)).toEqual(['node-1', 'node-1']);
    expect(existsSync(join(stage.out, 'told-1'))).toBe(false);
    await writeFile(join(stage.out, 'trained'), '');
    expect(await jobs.forced.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
  });

  it('is left behind with the pod that Kubernetes deletes, which runs on and joins nobody', async () => {
    const status = await untilAttempt(jobs.left, 2);
    expect(courseOf(status)).toContain('Kubernetes deletes the pod, and its node does not answer');
    await eventually('the ranks of the next attempt meet', async () =>
      (await linesOf('joined')).includes('from 2 to 2'),
    );
    const triesOfOld = async () =>
      (await linesOf('refused-1')).filter((code) => code === 'ECONNREFUSED').length;
    const before = await triesOfOld();
    await eventually('the old rank has tried to join', async () => (await triesOfOld()) > before + 20);
    expect(new Set(await linesOf('joined'))).toEqual(new Set(['from 1 to 1', 'from 2 to 2']));
    await writeFile(join(stage.out, 'enough'), '');
    expect(await jobs.left.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
  });

  it('keeps a pod until it answers, without forced deletion', async () => {
    const { cause } = await untilStatus(
      jobs.avoiding,
      'it says for which pod it waits',
      ({ cause }) => cause?.reason === 'PodsTerminating',
    );
    expect(cause).toMatchObject({ pod: 'avoiding-worker-0', node: SILENT });
    expect(renewed(podsOf('avoiding'), await stage.pods('avoiding'))).toEqual([]);
  });

  it('blocks no job from its end, which lists the remaining pods', async () => {
    const outcome = await jobs.stopped.wait();
    expect(outcome.phase).toBe('Stopped');
    expect(courseOf(outcome)).toContain(
      'the job no longer waits: 1 pod that was asked to stop still exists (stopped-worker-0 on node node-2)',
    );
  });

  it('continues its running pods when it answers again', async () => {
    await returns();
    const { restarts } = await untilPhase(jobs.patient, 'Running');
    expect(restarts).toBe(0);
    expect(renewed(podsOf('patient'), await stage.pods('patient'))).toEqual([]);
  });

  it('ends lost and stopped pods when it has recovered, and gets pods again that avoided it', async () => {
    await eventually('the first attempt is told to stop', () => existsSync(join(stage.out, 'told-1')));
    await eventually('the rank that was left behind ends', async () => {
      const tries = (await linesOf('refused-1')).length;
      await delay(1_000);
      return (await linesOf('refused-1')).length === tries;
    });
    await eventually(
      'nothing is left of a stopped job',
      async () => (await stage.pods('stopped')).length === 0,
    );
    await untilRestarted(jobs.avoiding, 1);
    const after = await stage.pods('avoiding');
    expect(renewed(podsOf('avoiding'), after)).toEqual(['avoiding-worker-0']);
  });
});
