import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { restartComponent } from '@signalbox/sandbox';
import { TEST_SANDBOX_DIR } from '../test-sandbox.ts';
import { type Manifest, simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A pipeline that is killed again and again, and begins again each time, has one job and gets its outcome. */

const PROGRAM = fileURLToPath(new URL('./pipeline-process.ts', import.meta.url));

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await Promise.all([stage.engine('worker'), stage.engine('watcher')]);
});
afterAll(() => stage.close());

type Line = Readonly<Record<string, unknown>>;

class Pipeline {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(manifest: Manifest) {
    const args = [PROGRAM, stage.sandbox.temporalAddress, JSON.stringify(manifest), 'run-7/train'];
    const env = { ...process.env, NODE_OPTIONS: '' };
    this.#process = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** The next line that it prints. */
  async line(): Promise<Line> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the pipeline ended without another line');
    return JSON.parse(value) as Line;
  }

  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}

const ENDS = [
  { name: 'lasting', exitCode: 0, restartPolicy: 'Never', outcome: { phase: 'Completed' } },
  {
    ...{ name: 'failing', exitCode: 3, restartPolicy: 'Never' },
    outcome: {
      ...{ phase: 'Failed', reason: 'PodFailed' },
      failures: [expect.objectContaining({ pod: 'failing-master-0', exitCode: 3 })],
    },
  },
] as const;

it.each(ENDS)(
  'a killed pipeline finds its job again, and its outcome: $outcome.phase',
  async (end) => {
    const { name, exitCode, restartPolicy, outcome } = end;
    const manifest = simulatedJob({ name, namespace: stage.namespace, master: { restartPolicy } });
    const runs: Line[] = [];
    for (let round = 1; round <= 5; round++) {
      const pipeline = new Pipeline(manifest);
      if (round === 3) await restartComponent(TEST_SANDBOX_DIR, 'temporal', 'kill');
      // The first round is killed as soon as it has a run, whatever the job does by then.
      runs.push(await pipeline.line());
      if (round === 2) await untilPhase(stage.client.job({ name }), 'Running');
      if (round === 4) await restartComponent(TEST_SANDBOX_DIR, 'temporal', 'kill');
      await pipeline.kill();
    }
    await stage.endPod(`${name}-master-0`, { exitCode });
    const last = new Pipeline(manifest);
    runs.push(await last.line());
    expect(await last.line()).toEqual(outcome);

    expect(runs.map(({ submission }) => submission)).toEqual([
      'started',
      ...Array(4).fill('already-running'),
      expect.stringMatching(/^already-(running|completed|ended)$/),
    ]);
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1);
    const { executions } = await stage.temporal.workflowService.listWorkflowExecutions({
      namespace: 'default',
      query: `WorkflowId = 'job/${stage.namespace}/${name}'`,
    });
    expect(executions).toHaveLength(1);
    expect((await stage.client.job({ name }).status()).attempt).toBe(1);
  },
  240_000,
);
