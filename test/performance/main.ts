import { runBench } from './bench.ts';
import { IncompleteError } from './milestone.ts';
import { parseOptions } from './options.ts';
import { jsonReport, textReport } from './report.ts';
import { startThrowawaySandbox } from './throwaway-sandbox.ts';

const options = parseOptions(process.argv.slice(2));
const say = (text: string) => void process.stderr.write(`${text}\n`);

say('starting a sandbox for the bench');
const sandbox = await startThrowawaySandbox(options.pods);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted());
try {
  const place = { ...sandbox, connections: options.connections };
  const results = await runBench(place, options, say);
  console.log(options.output === 'json' ? jsonReport(results, options) : await textReport(results, options));
} catch (error) {
  say(error instanceof IncompleteError ? `error: ${error.message}` : String((error as Error).stack));
  process.exitCode = 1;
} finally {
  await sandbox.remove();
}

async function interrupted(): Promise<void> {
  await sandbox.remove();
  process.exit(130);
}
