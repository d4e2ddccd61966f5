import { Argument, type Command, Option } from 'commander';
import { settingOptions } from '../settings/setting-options.ts';
import { completedBy } from '../shell/completed-by.ts';
import { atMostAYear, seconds } from './parse.ts';

export const namespaceOption = () =>
  completedBy(
    'namespaces',
    new Option('-n, --namespace <name>', 'namespace of jobs (SIGNALBOX_NAMESPACE; else `default`)'),
  );

export const workflowIdOption = (description = 'the job’s workflow id, instead of its name') =>
  new Option('--workflow-id <id>', description);

/** In seconds. */
export const cleanUpTimeoutOption = () =>
  new Option(
    '--clean-up-timeout <duration>',
    'how long to wait for the clean-up of an ended job of the name (default: 10m)',
  ).argParser(atMostAYear(seconds));

/** Adds the arguments that identify a job. */
export const aboutJob = (command: Command): Command =>
  command.addArgument(completedBy('jobs', new Argument('[name]', A_JOB))).addOption(workflowIdOption());

/** Adds the arguments that identify one job or several. */
export const aboutJobs = (command: Command): Command =>
  command.addArgument(completedBy('jobs', new Argument('[name...]', A_JOB))).addOption(workflowIdOption());

export const A_JOB = 'NAME, NAMESPACE/NAME, job/NAMESPACE/NAME or a workflow id; then @RUN, e.g. @-1';

/** Adds the arguments of commands that read manifests. */
export const manifestFiles = (command: Command): Command =>
  strictOptions(
    command.argument('<file...>', 'a YAML or JSON file, or a folder of them; - reads standard input'),
  );

/** Adds the options of commands that check a manifest. Their flag `strict` is true by default. */
export const strictOptions = (command: Command): Command =>
  command
    .addOption(new Option('--strict', 'refuse unknown fields; the default').default(true).hideHelp())
    .option('--no-strict', 'accept unknown fields of the job and its pods: warn, and ignore them');

/** The same settings as those of the workers, so that the output matches what they would create. */
export const configurationOptions = (command: Command): Command =>
  settingOptions(command, [
    ...(['gang', 'coschedulingName', 'clusterDomain', 'kubectlImage'] as const),
    ...(['masterWaitImage', 'etcdServers'] as const),
  ]);

/** Workers and readers must use the same store. */
export const evidenceOptions = (command: Command): Command =>
  settingOptions(command, [
    ...(['evidenceStore', 'evidenceDir', 'evidenceBucket', 'evidencePrefix'] as const),
    ...(['evidenceRegion', 'evidenceEndpoint'] as const),
  ]);

/** The other settings of the archive are variables: docs/archive.md. */
export const archiveOptions = (command: Command): Command =>
  settingOptions(command, ['archiveStore', 'archiveDir']);
