import { SignalboxClient } from '../../client/handles/client.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { parseEnduranceOptions } from './endurance-options.ts';
import { enduranceReport } from './endurance-report.ts';
import { TRIALS, type TrialEnvironment, type TrialResult } from './endurance-trials.ts';
import { EngineProcess } from './engine-process.ts';
import { startThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';

/**
 * `npm run soak`: jobs that live very long, or are very large, on a sandbox of their own: a gang that starts again some
 * hundred times, a job that is suspended as often, and one of thousands of pods. Told are the runs of each workflow, the
 * size of the largest history among them, and what is not as it must be.
 */

const options = parseEnduranceOptions(process.argv.slice(2));
const say = (text: string) => void process.stderr.write(`${text}\n`);

say('starting a sandbox for the trials');
const sandbox = await startThrowawaySandbox(options.pods);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted());
try {
  const results = await endure(sandbox);
  console.log(await enduranceReport(results));
  if (results.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  say(String((error as Error).stack));
  process.exitCode = 1;
} finally {
  await sandbox.remove();
}

async function endure(place: ThrowawaySandbox): Promise<TrialResult[]> {
  const settings = { ...place, connections: 64 };
  const engines = [
    await EngineProcess.start('worker', settings),
    await EngineProcess.start('watcher', settings),
  ];
  const environment = await openTrialEnvironment(place);
  try {
    const results: TrialResult[] = [];
    for (const trial of TRIALS.filter(({ name }) => !options.only || name === options.only)) {
      results.push(await trial.endure(environment, options));
    }
    return results;
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
    await environment.close();
  }
}

async function openTrialEnvironment({
  kubeconfig,
  temporalAddress: address,
}: ThrowawaySandbox): Promise<TrialEnvironment & { close(): Promise<void> }> {
  const settings = { address, namespace: 'default' };
  const client = await SignalboxClient.connect({ temporal: settings, submittedBy: 'soak' });
  const temporal = await connectTemporal(settings);
  const cluster = await ClusterClient.connect({ kubeconfig });
  return {
    ...{ client, temporal, cluster, say },
    close: async () => {
      await Promise.all([client.close(), temporal.connection.close(), cluster.close()]);
    },
  };
}

async function interrupted(): Promise<void> {
  await sandbox.remove();
  process.exit(130);
}
