import { Command, Option } from 'commander';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import type { RenderedJob } from '../../client/manifests/offline/render.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import type { Document } from '../input/documents.ts';
import { configurationOptions, manifestFiles } from '../input/job-options.ts';
import {
  located,
  manifestOptions,
  readManifests,
  refuseFaulty,
  titleOf,
  warningOf,
} from '../input/manifests.ts';
import { positive } from '../input/parse.ts';
import { note, writeData } from '../print/output.ts';
import { renderedJson, renderedYaml } from '../print/rendered-text.ts';
import { settingsOf } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';

interface RenderFlags {
  readonly attempt: number;
  readonly output: 'yaml' | 'json';
}

const EXAMPLES = ['render job.yaml', 'render job.yaml --gang volcano -o json'];

const HELP = `kubectl accepts the output. It omits what exists only once the job runs: the ConfigMap that records the job, the owner
references to it, the keys of Secrets, and lists of pod addresses. Without --gang and SIGNALBOX_GANG, a job is rendered
for the gang scheduler that it names, or for none.`;

export const renderCommand = (): Command =>
  withExamples(configurationOptions(manifestFiles(new Command('render'))), EXAMPLES, HELP)
    .description('print the objects that a job would create, without contacting a server')
    .option('--attempt <number>', 'only this attempt', positive, 1)
    .addOption(new Option('-o, --output <format>', 'output format').choices(['yaml', 'json']).default('yaml'))
    .action(async (files: readonly string[], flags: RenderFlags, command: Command) => {
      const { jobs, others } = await readManifests(files, command);
      for (const { where, value } of others) note(`${where}: ${titleOf(value)} is not a job; skipped`);
      const rendered = await renderAll(jobs, flags, command);
      if (flags.output === 'json') writeData(renderedJson(rendered), 'json');
      else writeData(await renderedYaml(rendered), 'yaml');
    });

/** Renders all jobs; throws all faults of all jobs at once. */
async function renderAll(jobs: readonly Document[], { attempt }: RenderFlags, command: Command) {
  const [{ renderJob }, settings] = await Promise.all([
    import('../../client/manifests/offline/render.ts'),
    settingsOf(command),
  ]);
  const gang = settings.origins.gang === '--gang' ? settings.jobs.gang : 'auto';
  const options = {
    ...manifestOptions(command, settings),
    attempt,
    gang: gang === 'auto' ? undefined : (gang satisfies GangProvider),
  };
  const isOne = jobs.length === 1;
  const results = await Promise.allSettled(jobs.map(({ value }) => renderJob(value, options)));
  const rendered: RenderedJob[] = [];
  const faults = results.flatMap((result, index) => {
    const document = jobs[index]!;
    if (result.status === 'fulfilled') rendered.push(result.value);
    else if (!(result.reason instanceof InvalidManifestError)) throw result.reason;
    const { warnings } = result.status === 'fulfilled' ? result.value : result.reason;
    for (const warning of warnings) note(warningOf(warning, document, isOne));
    return result.status === 'fulfilled' ? [] : located(result.reason.faults, document, isOne);
  });
  refuseFaulty(faults, jobs);
  return rendered;
}
