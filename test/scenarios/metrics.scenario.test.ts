import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { Engine } from '../../demo/engine.ts';
import { dashboardExpressions } from '../dashboards.ts';
import { ALERTS_FILE, alertRules } from '../deploy/alert-rules.ts';
import { eventually } from '../eventually.ts';
import { hasPrometheus, NO_PROMETHEUS, Prometheus, promtool } from '../prometheus.ts';
import { untilRestarted } from './attempts.ts';
import { SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

jest.setTimeout(600_000);

/** What worker and watcher serve at /metrics, as Prometheus reads it. */

const JOBS = 60;
const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '1' };

const isPossible = await hasPrometheus();
if (!isPossible) console.warn(`Skipped dashboards and alerts before Prometheus: ${NO_PROMETHEUS}`);

let stage: Stage;
let worker: Engine;
let watcher: Engine;
let ended: readonly JobHandle[];

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  const engine = (part: 'worker' | 'watcher') =>
    new Engine(part, stage.sandbox, {
      logFile: join(stage.sandbox.dir, 'engines', `${stage.namespace}-${part}.log`),
    });
  [worker, watcher] = [engine('worker'), engine('watcher')];
  // Most workflow tasks replay the history of their job: they must not count it again.
  await Promise.all([
    worker.start({ SIGNALBOX_CACHED_WORKFLOWS: '10' }),
    watcher.start({ SIGNALBOX_TEAM_LABEL: 'team' }),
  ]);
});

afterAll(async () => {
  await Promise.all([worker.stop(), watcher.stop()]);
  await stage.close();
});

const page = async ({ address }: Engine) => (await fetch(`${address}/metrics`)).text();

/** Returns the sums of a metric over its series of this test's namespace, by the values of some labels. */
async function sums(of: Engine, metric: string, labels: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, given = '', value] of (await page(of)).matchAll(
    new RegExp(`^${metric}\\{(.*)\\} (\\S+)$`, 'gm'),
  )) {
    const known = Object.fromEntries(
      [...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
    );
    if (known.job_namespace !== stage.namespace) continue;
    const key = labels.map((label) => known[label]).join(' ');
    found[key] = (found[key] ?? 0) + Number(value);
  }
  return found;
}

describe('counters of jobs', () => {
  beforeAll(async () => {
    const jobs = Array.from({ length: JOBS }, (_, index) => {
      const fails = index % 3 === 0;
      const manifest = simulatedJob({
        ...{ name: `counted-${index}`, namespace: stage.namespace, worker: false },
        master: { restartPolicy: 'OnFailure', annotations: fails ? FAILS : SUCCEEDS },
        runPolicy: { backoffLimit: index % 4 },
      });
      return withPolicy(manifest, {
        restart: { ladder: [{ scope: index % 2 ? 'pod' : 'gang' }], backOff: { initial: '0s' } },
      });
    });
    ended = await Promise.all(jobs.map((job) => stage.client.submit(job)));
    await Promise.all(ended.map((job) => job.wait()));
  });

  it('are what the ledgers say, though the worker replays most histories', async () => {
    const phases: Record<string, number> = {};
    let restarts = 0;
    for (const job of ended) {
      const last = (await job.history()).at(-1)!;
      phases[last.phase] = (phases[last.phase] ?? 0) + 1;
      restarts += last.restarts ?? 0;
    }
    expect(restarts).toBeGreaterThan(JOBS / 4);
    expect(await page(worker)).toMatch(/^temporal_sticky_cache_total_forced_eviction\{.*\} [1-9]/m);
    expect(await sums(worker, 'signalbox_jobs_ended_total', ['phase'])).toEqual(phases);
    expect(await sums(worker, 'signalbox_job_restarts_total', [])).toEqual({ '': restarts });
    expect(await sums(worker, 'signalbox_jobs_submitted_total', ['kind'])).toEqual({ PyTorchJob: JOBS });
  });

  it('have of a job that a killed worker leaves to another one only what happens from then on', async () => {
    const manifest = simulatedJob({ name: 'survivor', namespace: stage.namespace, worker: false });
    const job = await stage.client.submit(manifest);
    await untilPhase(job, 'Running');
    await worker.kill();
    await worker.start();
    await stage.endPod('survivor-master-0', { exitCode: 0 });
    await job.wait();
    expect(await sums(worker, 'signalbox_jobs_submitted_total', ['kind'])).toEqual({});
    expect(await sums(worker, 'signalbox_jobs_ended_total', ['phase'])).toEqual({ Completed: 1 });
    expect(await page(worker)).not.toMatch(/^signalbox_job_wait_seconds/m);
  });
});

(isPossible ? describe : describe.skip)('before Prometheus', () => {
  let prometheus: Prometheus;

  beforeAll(async () => {
    const scrapes = Object.entries({ worker, watcher }).map(([name, { address }]) => ({
      job_name: name,
      static_configs: [{ targets: [new URL(address).host] }],
    }));
    prometheus = await Prometheus.start(scrapes, [ALERTS_FILE]);
    const { namespace } = stage;
    const labelled = (name: string, gpus?: number) => {
      const manifest = simulatedJob({
        name,
        namespace,
        worker: false,
        gpus,
        master: { restartPolicy: 'OnFailure' },
      });
      return { ...manifest, metadata: { ...manifest.metadata, labels: { team: 'vision' } } };
    };
    const reporting = withPolicy(labelled('reporting', 2), { progress: { annotation: 'example.com/step' } });
    const recovering = withPolicy(labelled('recovering'), { restart: { backOff: { initial: '0s' } } });
    const [running, restarted] = await Promise.all([
      stage.client.submit(reporting),
      stage.client.submit(recovering),
      stage.client.submit(labelled('many-gpus', 1_000)),
    ]);
    await Promise.all([untilPhase(running, 'Running'), untilPhase(restarted, 'Running')]);
    await stage.endPod('recovering-master-0', { exitCode: 1 });
    await untilRestarted(restarted, 1);
    await untilPhase(restarted, 'Running');
    const step = { metadata: { annotations: { 'example.com/step': 'step 1' } } };
    await stage.cluster.patch(PODS, { namespace, name: 'reporting-master-0' }, step);
  });
  afterAll(() => prometheus?.stop());

  it('the metrics of jobs have what promtool demands', async () => {
    for (const engine of [worker, watcher]) {
      const own = (await page(engine)).split('\n').filter((line) => /^(# \w+ )?signalbox_/.test(line));
      expect(own.length).toBeGreaterThan(20);
      // The SDK adds these labels to all that workflows record; promtool does not like their names.
      const linted = own.join('\n').replaceAll(/\b(?:workflowType|taskQueue)="[^"]*",?/g, '');
      await promtool(['check', 'metrics'], `${linted}\n`);
    }
  });

  it('each expression of the dashboards gives data', async () => {
    await eventually(
      'the census has the waiting job',
      async () => (await prometheus.query('signalbox_jobs{reason="NeverFits"} > 0')).length > 0,
    );
    const missing: string[] = [];
    for (const { title, expression } of await dashboardExpressions()) {
      const now = expression
        .replaceAll('$__rate_interval', '5m')
        .replaceAll('$job_namespace', stage.namespace);
      if ((await prometheus.query(now)).length === 0) missing.push(`${title}: ${now}`);
    }
    expect(missing).toEqual([]);
  });

  it('each alert is known, and none fires for want of a metric', async () => {
    const rules = alertRules();
    expect([...(await prometheus.alertNames())].sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { expr } of rules) await prometheus.query(expr);
    const fires = async (alert: string) =>
      (await prometheus.query(rules.find((rule) => rule.alert === alert)!.expr)).length > 0;
    expect([await fires('SignalboxNoWorker'), await fires('SignalboxNoLeader')]).toEqual([false, false]);
  });
});
