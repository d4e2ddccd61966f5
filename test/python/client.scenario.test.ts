import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from '../scenarios/archive-stage.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { untilPhase } from '../scenarios/stage.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';
import { TypeScriptClient } from './typescript-client.ts';

/** Runs the Python package's tests that need servers against those of this process. */

const LANES = 'lanes';

const python = await findPython();
if (!python) console.warn('Skipped the Python client: this machine has no Python 3.10 or later.');

let on: ArchiveStage;
let engine: Engine;
let environment: PythonEnvironment;
let other: TypeScriptClient;

/** Two minutes on a machine that does nothing else. */
const ALL_TESTS_MS = 900_000;

(python ? describe : describe.skip)('the Python client', () => {
  beforeAll(async () => {
    environment = await PythonEnvironment.ensure(python!);
    on = await openArchiveStage({ localNode: true });
    const lanes = { research: { capacity: { pods: 3 } }, production: { capacity: { pods: 10 } } };
    await on.stage.cluster.create(CONFIG_MAPS, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: LANES, namespace: on.stage.namespace } },
      data: { 'lanes.yaml': JSON.stringify({ lanes }) },
    });
    engine = await on.engine().start(engineSettings());
    other = await TypeScriptClient.serve(on.client);
  }, SET_UP_MS);

  afterAll(async () => {
    await other?.close();
    await on?.close();
  });

  const engineSettings = () => ({ ...on.settings, SIGNALBOX_LANES: `${on.stage.namespace}/${LANES}` });
  const settings = () => ({
    ...on.settings,
    TEMPORAL_ADDRESS: on.stage.sandbox.temporalAddress,
    TEMPORAL_NAMESPACE: on.temporalNamespace,
    SIGNALBOX_TYPESCRIPT_CLIENT: other.url,
  });

  it(
    'passes its tests against real servers',
    async () => {
      const { code, output } = await environment.module(['pytest', '-q', '-m', 'servers'], settings());
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    },
    ALL_TESTS_MS,
  );

  it('returns the last recorded status when no worker is there', async () => {
    const job = await on.client.submit(simulatedJob({ name: 'alone', namespace: on.stage.namespace }));
    await untilPhase(job, 'Running');
    await eventually('its anchor says that it runs', async () => {
      const { data } = await on.stage.cluster.get(CONFIG_MAPS, on.stage.namespace, anchorNameOf('alone'));
      return (JSON.parse(data?.status ?? '{}') as { phase?: string }).phase === 'Running';
    });
    await engine.stop();
    const { code, output } = await environment.run(['-c', WITHOUT_WORKER], {
      ...settings(),
      PYTHONPATH: 'src',
    });
    expect({ code, output }).toEqual({ code: 0, output: 'anchor Running 1\ntemporal Running\nWorkerAway\n' });
    await engine.start(engineSettings());
    await job.stop();
  });
});

/** A client without the cluster's address asks Temporal alone. */
const WITHOUT_WORKER = `
import time
from signalbox import SyncClient, WorkerAwayError

with SyncClient.connect() as client:
    # The cluster has three seconds, which a busy machine may take.
    for _ in range(10):
        status = client.job("alone").status()
        if status.recorded_in == "anchor":
            break
    print(status.recorded_in, status.phase, status.replica_statuses["Master"].active)
with SyncClient.connect(kubeconfig="/nowhere") as client:
    job = client.job("alone")
    status = job.status()
    print(status.recorded_in, status.phase)
    began = time.monotonic()
    try:
        job.history()
    except WorkerAwayError as error:
        print(error.code)
    assert time.monotonic() - began < 30, "a question without a worker waits for a minute"
`;
