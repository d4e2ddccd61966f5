import { SandboxError } from '@signalbox/sandbox';
import { explainError } from '../../cli/shell/errors.ts';
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
  const isExpected = error instanceof IncompleteError || error instanceof SandboxError;
  say(explainError(error, { debug: !isExpected }));
  process.exitCode = 1;
}
