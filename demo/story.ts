import type { SignalboxClient } from '../client/handles/client.ts';
import type { JobHandle } from '../client/handles/job-handle.ts';
import { newEntries } from '../client/use-cases/pods/new-entries.ts';
import type { JobOutcome } from '../contracts/status.ts';
import type { Engine } from './engine.ts';
import { screen } from './screen.ts';

export interface Story {
  readonly outcome: JobOutcome;
  /** Lines of rank 0 received before the engine was killed, and after that. */
  readonly lines: { readonly before: number; readonly after: number };
}

/** Lines of the log to wait for before the engine is killed, once the job is shown as Running. */
const LINES_BEFORE_KILL = 3;

/** Submits the job, shows its states and rank 0's log, and kills the engine while it trains. */
export async function runDemo(client: SignalboxClient, engine: Engine, manifest: object): Promise<Story> {
  const job = await client.submit(manifest, { rerun: true });
  screen.line(`submitted as workflow ${job.workflowId}`);
  const lines = { before: 0, after: 0 };
  let isRunning = false;
  let revived: Promise<void> | undefined;

  const logs = followLog(job, (pod, text) => {
    screen.log(pod, text);
    // On a slow machine the training may be over before the engine is back.
    lines[revived ? 'after' : 'before']++;
    if (isRunning && lines.before >= LINES_BEFORE_KILL) revived ??= killAndRestart(engine);
  });
  const show = showSteps();
  for await (const status of job.watch()) {
    show(status);
    isRunning ||= status.phase === 'Running';
  }
  const outcome = await job.wait();
  await logs;
  await revived;
  return { outcome, lines };
}

async function followLog(job: JobHandle, onLine: (pod: string, text: string) => void): Promise<void> {
  for await (const { pod, text } of job.logs({ follow: true })) onLine(pod, text);
}

async function killAndRestart(engine: Engine): Promise<void> {
  screen.line(`the engine (process ${engine.pid}) is killed with SIGKILL; the pods train on`);
  await engine.kill();
  await engine.start();
  screen.line(`the engine is back (process ${engine.pid}); the job continues where it was`);
}

function showSteps(): (status: { readonly timeline: JobOutcome['timeline'] }) => void {
  const unshown = newEntries();
  return ({ timeline }) => unshown(timeline).forEach(screen.phase);
}
