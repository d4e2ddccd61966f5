import { writeFile } from 'node:fs/promises';
import { SandboxError } from '@signalbox/sandbox';
import { explainError } from '../../../cli/shell/errors.ts';
import { runDrill } from './drill.ts';
import { parseRecoveryOptions } from './recovery-options.ts';
import { plotTrials } from './recovery-plot.ts';
import { recoveryJson, recoveryText } from './recovery-report.ts';

/** `npm run bench:recovery`: how long a job does not train after a fault, by signalbox and by others. */

const options = parseRecoveryOptions(process.argv.slice(2));
const say = (text: string) => void process.stderr.write(`${text}\n`);

try {
  const trials = await runDrill(options, say);
  console.log(
    options.output === 'json' ? recoveryJson(trials, options) : await recoveryText(trials, options),
  );
  if (options.plot) await writeFile(options.plot, plotTrials(trials, options.capMs));
  if (trials.some(({ findings }) => findings === undefined)) process.exitCode = 1;
} catch (error) {
  say(explainError(error, { debug: !(error instanceof SandboxError) }));
  process.exitCode = 1;
}
