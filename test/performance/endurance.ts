import { BenchEngine } from './bench-engine.ts';
import { parseEnduranceOptions } from './endurance-options.ts';
import { enduranceReport } from './endurance-report.ts';
import { TRIALS, type TrialResult } from './endurance-trials.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';

/**
 * `npm run soak`: jobs that live very long, or are very large, on a sandbox of their own: a gang that starts again some
 * hundred times, a job that is suspended as often, and one of thousands of pods. Told are the runs of each workflow, the
 * size of the largest history among them, and what is not as it must be.
 */

const options = parseEnduranceOptions(process.argv.slice(2));
const say = (text: string) => void process.stderr.write(`${text}\n`);

say('starting a sandbox for the trials');
try {
  const results = await inThrowawaySandbox(options.pods, endure);
  console.log(await enduranceReport(results));
  if (results.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} catch (error) {
  say(String((error as Error).stack));
  process.exitCode = 1;
}

async function endure(place: ThrowawaySandbox): Promise<TrialResult[]> {
  const engine = await BenchEngine.start({ ...place, connections: 64 });
  try {
    const results: TrialResult[] = [];
    for (const trial of TRIALS.filter(({ name }) => !options.only || name === options.only)) {
      results.push(await trial.endure({ ...engine.clients, say }, options));
    }
    return results;
  } finally {
    await engine.close();
  }
}
