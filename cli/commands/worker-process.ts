import { Command } from 'commander';
import { WORKER_PROCESS, workerProcess } from '../processes/processes.ts';

/** What `worker` and `up` start several times with `--processes`, and speak to over a channel of Node. */
export const workerProcessCommand = (): Command =>
  new Command(WORKER_PROCESS).action(async () => {
    const { runForParent } = await import('../processes/parent.ts');
    process.exit(await runForParent(workerProcess));
  });
