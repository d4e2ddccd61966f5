import { runBench } from './bench.ts';
import { IncompleteError } from './milestone.ts';
import { parseOptions } from './options.ts';
import { jsonReport, textReport } from './report.ts';

const options = parseOptions(process.argv.slice(2));
const say = (text: string) => void process.stderr.write(`${text}\n`);

try {
  const results = await runBench(options, say);
  console.log(options.output === 'json' ? jsonReport(results, options) : await textReport(results, options));
} catch (error) {
  say(error instanceof IncompleteError ? `error: ${error.message}` : String((error as Error).stack));
  process.exitCode = 1;
}
